// How many looks all processes together may take: a bucket that fills with time and holds a second's worth. It is one row,
// locked, read and written by the statement that claims the looks (queue.ts), so that two never spend the same token.

import { type SQL, sql } from 'drizzle-orm'
import { budgets } from '../db/schema.ts'

/** As it is now. Of clocks that differ a little, the one ahead counts; one that is far ahead has gone wrong. */
export const bucket = (perSecond: number, at: SQL): SQL => sql`
  bucket as (
    select filled_at, filled_at > ${at} + interval '1 second' as is_ahead, least(${perSecond}::float8,
      tokens + ${perSecond}::float8 * greatest(0, extract(epoch from ${at} - filled_at)::float8)) as tokens
    from ${budgets} where name = 'looks' for update
  )`

/** Whole tokens; the bucket that nobody has used yet is full. */
export const tokens = (perSecond: number): SQL =>
  sql`floor(coalesce((select tokens from bucket), ${perSecond}::float8))::integer`

/** Takes one for each row of `due`; a time gone wrong is set right, or there would be no looks until it comes. */
export const spend = (perSecond: number, at: SQL): SQL => sql`
  spent as (
    insert into ${budgets} (name, tokens, filled_at)
    select 'looks', coalesce((select tokens from bucket), ${perSecond}::float8) - count(*),
      greatest(${at}, (select filled_at from bucket where not is_ahead))
    from due having count(*) > 0 or (select is_ahead from bucket)
    on conflict (name) do update set tokens = excluded.tokens, filled_at = excluded.filled_at
  )`
