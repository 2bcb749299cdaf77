// The address that fiscal receipts go to: given by a person once, changed whenever they like.

import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { users } from '../db/schema.ts'

const address = z.email().max(100)

/** Undefined for what is no address. */
export const readAddress = (typed: string): string | undefined => address.safeParse(typed.trim()).data

export async function emailOf(db: Database, userId: bigint): Promise<string | null> {
  const [found] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return found?.email ?? null
}

export async function setEmail(db: Database, userId: bigint, email: string): Promise<void> {
  await db.update(users).set({ email }).where(eq(users.id, userId))
}
