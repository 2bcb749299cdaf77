// How long a task may run before its order is refunded: the operator's limit of its model, or a multiple of the model's slowest
// tasks. A task that was refunded too early may still be charged by the gateway.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Model } from '../catalog/model.ts'
import { rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/clock.ts'
import { createRemembered } from '../runtime/remembered.ts'
import { type Generation, type GenerationDeps, stateIs } from './generation.ts'
import { runLimit } from './pace.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'catalog'>

export interface RunLimits {
  /** The time limit of a model's tasks, in milliseconds. */
  of(model: Model): Promise<number>
}

/** The tasks of a model that count: its last 100 within 30 days. They are read again after ten minutes. */
const lastTasks = 100
const lastMs = 30 * dayMs
const freshMs = 10 * 60_000

export function createRunLimits(deps: Deps): RunLimits {
  const remembered = createRemembered<number>(deps.clock, () => freshMs)
  const read = async (model: Model) => within((await slowestMs(deps, model)) * runLimit.slowestTimes)
  return {
    of: async (model) => deps.catalog.giveUpAfterMs(model) ?? remembered(model.id, () => read(model)),
  }
}

const within = (ms: number): number => Math.min(Math.max(ms, runLimit.shortestMs), runLimit.longestMs)

/** The time of the slowest counted task. Results that arrived after a refund count too, so they raise the limit. */
async function slowestMs({ db, clock }: Deps, { id }: Model): Promise<number> {
  const query = sql`
    select coalesce(max(extract(epoch from ended - submitted_at)), 0) as seconds from (
      select submitted_at, coalesce(arrived_late_at, settled_at) as ended from ${generations}
      where model_id = ${id} and task_id is not null and submitted_at is not null
        and (${stateIs('succeeded')} or arrived_late_at is not null)
        and settled_at > ${timestamp(clock.now(), -lastMs)}
      order by settled_at desc limit ${lastTasks}::integer
    ) last_tasks`
  const [slowest] = await rows(db, query, z.object({ seconds: z.coerce.number() }))
  return (slowest?.seconds ?? 0) * 1000
}

/** Orders of earlier versions have no deadline of their own. */
export function deadlineOf({ deadlineAt, submittedAt, createdAt }: Generation): Date {
  return deadlineAt ?? new Date((submittedAt ?? createdAt).getTime() + runLimit.shortestMs)
}
