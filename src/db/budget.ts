// A budget of requests per second for all processes together: a token bucket that holds the tokens of one second. It is one row, which
// the statement that claims the work locks, reads and writes, so that no token is spent twice.

import { type SQL, sql } from 'drizzle-orm'
import { budgets } from './schema/operators.ts'

interface Budget {
  readonly name: string
  readonly perSecond: number
}

/**
 * The bucket's present content. Clocks of processes may differ slightly, so the latest time counts; a stored time more than a second
 * ahead of `at` is wrong.
 */
export const bucket = ({ name, perSecond }: Budget, at: SQL): SQL => sql`
  bucket as (
    select filled_at, filled_at > ${at} + interval '1 second' as is_ahead, least(${perSecond}::float8,
      tokens + ${perSecond}::float8 * greatest(0, extract(epoch from ${at} - filled_at)::float8)) as tokens
    from ${budgets} where name = ${name} for update
  )`

/** The whole tokens in the bucket; a bucket without a row is full. */
export const tokens = ({ perSecond }: Budget): SQL =>
  sql`floor(coalesce((select tokens from bucket), ${perSecond}::float8))::integer`

/** Takes one token per row of `due`. A stored time that is too far ahead is corrected: otherwise no work could begin until that time. */
export const spend = ({ name, perSecond }: Budget, at: SQL): SQL => sql`
  spent as (
    insert into ${budgets} (name, tokens, filled_at)
    select ${name}, coalesce((select tokens from bucket), ${perSecond}::float8) - count(*),
      greatest(${at}, (select filled_at from bucket where not is_ahead))
    from due having count(*) > 0 or (select is_ahead from bucket)
    on conflict (name) do update set tokens = excluded.tokens, filled_at = excluded.filled_at
  )`
