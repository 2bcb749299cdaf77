// The models and functions that an operator has switched off while the app runs. The table is read for every order and card: it has only
// a few rows, and a change applies to every process at once.

import { type SQL, sql } from 'drizzle-orm'
import { offeredModels, type TextModel } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { switches } from '../db/schema.ts'

/** New orders are refused; orders under way are completed. */
export const maintenance = 'maintenance'
export const modelSwitch = (modelId: string): string => `model:${modelId}`

/** The names of the switches that are off. */
export async function switchedOff(db: Database): Promise<ReadonlySet<string>> {
  const found = await db.select({ name: switches.name }).from(switches)
  return new Set(found.map(({ name }) => name))
}

interface TextDeps {
  readonly db: Database
  readonly textModels: readonly TextModel[]
}

export async function textModelsOnSale({ db, textModels }: TextDeps): Promise<readonly TextModel[]> {
  const off = await switchedOff(db)
  return offeredModels(textModels).filter(({ id }) => !off.has(modelSwitch(id)))
}

/** The ids of the models that are off, as a JSON list. */
export const switchedOffModels: SQL<string[]> = sql<string[]>`(
  select coalesce(jsonb_agg(substr(name, ${modelSwitch('').length + 1}::integer)), '[]') from ${switches}
  where name like ${modelSwitch('%')})`

/** A condition on any statement: the switch with this name is off. */
export const isOff = (name: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${switches} where ${switches.name} = ${name})`
