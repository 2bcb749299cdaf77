// Who somebody is once their data is gone: a keyed hash of the Telegram id, kept only to tell a person who comes back from
// a new one. Without the bot token nobody can try Telegram ids against it.

import { createHmac } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { operatorActions } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

/** @param secret the bot token; a new one makes strangers of those who left before */
export function personOf(secret: string, telegramId: number): string {
  const key = createHmac('sha256', 'forgotten people').update(secret).digest()
  return createHmac('sha256', key).update(String(telegramId)).digest('base64url').slice(0, 24)
}

/** Deletions are recorded among the actions, by the hash alone: the row of the user it was is not named. */
const action = 'forget'
const subjectOf = (person: string) => `person:${person}`

export const recordForgotten = (person: string, now: Date, from: SQL): SQL => sql`
  insert into ${operatorActions} (action, subject, details, created_at)
  select ${action}, ${subjectOf(person)}, '{}'::jsonb, ${timestamp(now)} from ${from}`

/** An SQL condition: this person's data was deleted at that time or later. */
export const forgottenSince = (person: string, time: SQL): SQL => sql`exists (
  select from ${operatorActions} a
  where a.action = ${action} and a.subject = ${subjectOf(person)} and a.created_at >= ${time})`

export async function wasForgotten(db: Database, person: string): Promise<boolean> {
  const asked = sql`select ${forgottenSince(person, sql`'-infinity'::timestamptz`)} as yes`
  const [answer] = await rows(db, asked, z.object({ yes: z.boolean() }))
  return answer?.yes === true
}
