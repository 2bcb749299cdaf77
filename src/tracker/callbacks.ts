// A callback carries no proof of origin, so it only makes the tracker look now. Its address is unguessable and belongs to one
// generation; for an order whose submit got no answer it also names candidates for the task (reveal.ts).

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { type GenerationDeps, isAwaited, stateIs } from '../generations/generation.ts'
import type { Candidate } from './callback-body.ts'
import { isLostLately, storing } from './candidates.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs'>

/**
 * One statement, which writes nothing for an order that has ended.
 * @returns false when the token belongs to no generation
 */
export async function receiveCallback(
  { db, clock, pollIntervalMs }: Deps,
  token: string,
  candidates: readonly Candidate[],
): Promise<boolean> {
  const now = timestamp(clock.now())
  // The least time between two looks at one task, however many callbacks come.
  const gap = timestamp(clock.now(), -(pollIntervalMs / 4))
  const parts = [
    sql`called as (
      select id, state, ${isLostLately(clock.now())} as is_lost_lately from ${generations} where callback_token = ${token})`,
    ...(candidates.length > 0 ? storing(candidates, now) : []),
    sql`woken as (
      update ${generations} set callback_at = ${now},
        next_check_at = least(next_check_at, greatest(${now}, ${now} + (last_check_at - ${gap})))
      where id in (select id from called) and (${stateIs('running')} or ${isAwaited}))`,
    // The explanation of the refund goes first.
    ...(candidates.length > 0
      ? [
          sql`awaited as (
      update ${generations} set next_check_at = ${now}
      where id in (select id from called where is_lost_lately) and delivery <> 'pending')`,
        ]
      : []),
  ]
  const statement = sql`with ${sql.join(parts, sql`, `)} select id from called`
  return (await rows(db, statement, z.object({ id: z.string() }))).length > 0
}
