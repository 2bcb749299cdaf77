// A callback carries no proof of origin, so it only makes the tracker look now. Its address is unguessable and belongs to one
// generation; for an order whose submit got no answer it also names candidates for the task (reveal.ts).

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations, taskCandidates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Candidate } from './callback-body.ts'
import { deliveryIs, type GenerationDeps, isAwaited, stateIs } from './generation.ts'
import { isLostLately } from './late.ts'
import { candidateLooks } from './pace.ts'

/** The most candidates that are kept for one order, in addition to those of its newest callback. */
const maxKept = 16

/**
 * Records a callback with one statement: it makes the next look due now, or a little later if the task was just looked at, and stores the
 * candidates if the order waits for its task. For an order whose submit is not answered yet the look follows the answer. Nothing is written
 * for an order that has ended.
 * @param candidates without duplicates, the most likely first
 * @returns false when the token belongs to no order
 */
export async function receiveCallback(
  { db, clock, pollIntervalMs }: Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs'>,
  token: string,
  candidates: readonly Candidate[],
): Promise<boolean> {
  const now = timestamp(clock.now())
  const apart = sql`${pollIntervalMs / 4}::double precision * interval '1 millisecond'`
  const isNamed = candidates.length > 0
  const statement = sql`
    with called as (
      select id, task_id is null and (${stateIs('submitting', 'unknown')} or ${isLostLately(clock.now())}) as lacks_task
      from ${generations} where callback_token = ${token}),
    ${isNamed ? storing(candidates, now) : sql``}
    woken as (
      update ${generations} set callback_at = ${now}, next_check_at = case
        when ${stateIs('submitting')} or ${deliveryIs('pending')} then next_check_at
        else least(next_check_at, greatest(${now}, last_check_at + ${apart})) end
      where id in (select id from called where ${isNamed} and lacks_task or ${stateIs('submitting', 'running')} or ${isAwaited}))
    select id from called`
  return (await rows(db, statement, z.object({ id: z.string() }))).length > 0
}

/** Parts of the statement, for at least one candidate. */
function storing(candidates: readonly Candidate[], now: SQL): SQL {
  const values = candidates.map(({ taskId }, rank) => sql`(${taskId}::text, ${rank}::integer)`)
  return sql`
    named as (select * from (values ${sql.join(values, sql`, `)}) as named (task_id, rank)),
    stored as (
      insert into ${taskCandidates} as known (generation_id, task_id, rank, told_at, due_at)
      select called.id, named.task_id, named.rank, ${now}, ${now} from called, named where lacks_task
      on conflict (generation_id, task_id) do update
        set rank = least(known.rank, excluded.rank), due_at = excluded.due_at,
          looks = least(known.looks, ${candidateLooks.looks - 1}::integer)),
    dropped as (
      delete from ${taskCandidates} old using (
        select generation_id, task_id, row_number() over (order by looks, rank, told_at) as place
        from ${taskCandidates}
        where generation_id in (select id from called) and task_id not in (select task_id from named)
      ) kept
      where old.generation_id = kept.generation_id and old.task_id = kept.task_id and kept.place > ${maxKept}::integer),`
}
