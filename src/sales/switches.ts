// What an operator has switched off while the app runs. Read anew for every order and card: the table is a few rows, and a
// switch takes effect in every process at once.

import type { Database } from '../db/client.ts'
import { switches } from '../db/schema.ts'

/** New orders are refused; what runs is finished. */
export const maintenance = 'maintenance'
export const modelSwitch = (modelId: string): string => `model:${modelId}`

/** The names of what is off. */
export async function switchedOff(db: Database): Promise<ReadonlySet<string>> {
  const found = await db.select({ name: switches.name }).from(switches)
  return new Set(found.map(({ name }) => name))
}
