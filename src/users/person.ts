// A keyed hash of the Telegram id. It is kept after a user's data was deleted, only to recognise a person who comes back. Without the
// bot token it cannot be compared with Telegram ids.

import { createHmac } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { operatorActions } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

/** @param secret the bot token; after it was changed, earlier hashes match no person */
export function hashOfPerson(secret: string, telegramId: number): string {
  const key = createHmac('sha256', 'forgotten people').update(secret).digest()
  return createHmac('sha256', key).update(String(telegramId)).digest('base64url').slice(0, 24)
}

/** A deletion is recorded as an action with the hash only, without the user's number. */
const action = 'forget'
const subjectOf = (personHash: string) => `person:${personHash}`

export const recordForgotten = (personHash: string, now: Date, from: SQL): SQL => sql`
  insert into ${operatorActions} (action, subject, details, created_at)
  select ${action}, ${subjectOf(personHash)}, '{}'::jsonb, ${timestamp(now)} from ${from}`

/** An SQL condition: this person's data was deleted at that time or later. */
export const forgottenSince = (personHash: string, time: SQL): SQL => sql`exists (
  select from ${operatorActions} a
  where a.action = ${action} and a.subject = ${subjectOf(personHash)} and a.created_at >= ${time})`

export async function wasForgotten(
  db: Database,
  personHash: string,
  since = sql`'-infinity'::timestamptz`,
): Promise<boolean> {
  const asked = sql`select ${forgottenSince(personHash, since)} as yes`
  return (await oneRow(db, asked, z.object({ yes: z.boolean() }))).yes
}
