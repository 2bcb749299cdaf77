// Where users come from: the name in the link that brought a person first (`/start src_<name>`). People without such a link came by an
// invitation or directly. What they ordered and paid is in the figures.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { users } from '../db/schema.ts'

/** The part of a link after `src_`, which Telegram keeps to these characters. */
export const sourceName = /^[A-Za-z0-9_-]{1,40}$/

/** Only the first source of a person counts. */
export async function setSource(db: Database, userId: bigint, source: string): Promise<void> {
  const set = sql`update ${users} set source = ${source} where id = ${userId}::bigint and source is null returning 1 as one`
  await rows(db, set, z.unknown())
}

/** Where a user came from: the name of a link, `invited` or `direct`. */
export const sourceOf = sql`case when ${users.source} is not null then ${users.source}
  when ${users.referrerId} is not null then 'invited' else 'direct' end`

/** All sources, those with the most people first. */
export async function knownSources(db: Database): Promise<string[]> {
  const asked = sql`select ${sourceOf} as source from ${users} group by 1 order by count(*) desc, 1`
  return (await rows(db, asked, z.object({ source: z.string() }))).map(({ source }) => source)
}
