// Candidates: the task ids that callbacks named for an order whose submit got no answer. The candidate with the fewest looks
// comes next, the most likely first, so that the right one does not wait until many wrong ones are rejected.

import { and, asc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { taskCandidates, users } from '../db/schema.ts'
import { type Part, timestamp } from '../db/sql.ts'
import {
  type Generation,
  type GenerationDeps,
  type GenerationState,
  reasonIs,
  stateIs,
} from '../generations/generation.ts'
import type { Candidate } from './callback-body.ts'
import { candidateLooks, lateLooks } from './pace.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock'>
type Named = typeof taskCandidates.$inferSelect

const waiting = ['submitting', 'unknown'] satisfies GenerationState[]

/** A condition on a row of `generations`: refunded as lost a short time ago, and its task is still not known. */
export const isLostLately = (
  now: Date,
): SQL => sql`(${stateIs('failed')} and ${reasonIs('lost')} and task_id is null
  and settled_at > ${timestamp(now, -lateLooks.forMs)}
  and exists (select from ${users} u where u.id = user_id and u.forgotten_at is null))`

/** When the next candidate of a row of `generations` is due; null without one. */
export const nextDueAt = sql`(select min(c.due_at) from ${taskCandidates} c where c.generation_id = generations.id)`

/** The most candidates that are kept for one order, in addition to those of its newest callback. */
const mostKept = 16

/** A condition on a row of `generations`: a candidate is due for a look. */
export const hasDue = (at: SQL): SQL =>
  sql`exists (select from ${taskCandidates} c where c.generation_id = generations.id and c.due_at <= ${at})`

/**
 * Parts of the statement that receives a callback: they store the candidates if the order in `called` waits for its task, or was
 * refunded because its task did not become known.
 * @param candidates at least one, without duplicates, the most likely first
 */
export function storing(candidates: readonly Candidate[], at: SQL): readonly Part[] {
  const values = candidates.map(({ taskId }, rank) => sql`(${taskId}::text, ${rank}::integer)`)
  return [
    {
      name: 'named',
      statement: sql`select * from (values ${sql.join(values, sql`, `)}) as named (task_id, rank)`,
    },
    {
      name: 'stored',
      statement: sql`
      insert into ${taskCandidates} as known (generation_id, task_id, rank, told_at, due_at)
      select called.id, named.task_id, named.rank, ${at}, ${at} from called, named
      where called.state in ${waiting} or called.is_lost_lately
      on conflict (generation_id, task_id) do update
        set rank = least(known.rank, excluded.rank), due_at = excluded.due_at,
          looks = least(known.looks, ${candidateLooks.looks - 1}::integer)
      returning task_id`,
    },
    {
      name: 'dropped',
      statement: sql`
      delete from ${taskCandidates} old using (
        select generation_id, task_id, row_number() over (partition by generation_id order by looks, rank, told_at) as place
        from ${taskCandidates}
        where generation_id in (select id from called) and task_id not in (select task_id from named)
      ) kept
      where old.generation_id = kept.generation_id and old.task_id = kept.task_id
        and kept.place > ${mostKept}::integer`,
    },
  ]
}

export async function nextCandidate({ db, clock }: Deps, { id }: Generation): Promise<Named | undefined> {
  const isDue = and(eq(taskCandidates.generationId, id), lte(taskCandidates.dueAt, clock.now()))
  const { looks, rank, toldAt } = taskCandidates
  const [next] = await db
    .select()
    .from(taskCandidates)
    .where(isDue)
    .orderBy(asc(looks), asc(rank), asc(toldAt))
    .limit(1)
  return next
}

/**
 * Counts a look at a candidate that the gateway does not know, or that is the task of something else. The gateway may know it a little
 * later, so a candidate gets several looks.
 */
export async function reject(deps: Deps, named: Named): Promise<void> {
  const looks = named.looks + 1
  const again = new Date(deps.clock.now().getTime() + candidateLooks.apartMs)
  await change(deps, named, { looks, dueAt: looks < candidateLooks.looks ? again : null })
}

/** Puts off the next look at a candidate about which the gateway gave no answer. */
export async function postpone(deps: Deps, named: Named, ms: number): Promise<void> {
  await change(deps, named, { dueAt: new Date(deps.clock.now().getTime() + ms) })
}

/** Changes nothing if a callback has named the candidate again during the look: the look may have been too early. */
async function change({ db }: Deps, named: Named, to: Partial<Pick<Named, 'looks' | 'dueAt'>>) {
  const { generationId, taskId, dueAt } = taskCandidates
  const isIt = and(eq(generationId, named.generationId), eq(taskId, named.taskId))
  const isUnchanged = named.dueAt ? eq(dueAt, named.dueAt) : isNull(dueAt)
  await db.update(taskCandidates).set(to).where(and(isIt, isUnchanged))
}
