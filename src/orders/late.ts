// Tasks that had not ended when their orders were refunded. The gateway is asked about them at a slow rate for a day. A result that still
// arrives is delivered free, since the gateway may have charged it; no money moves again.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { isHeld } from '../db/queue.ts'
import { generations, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { GatewayError } from '../gateway/errors.ts'
import { deliveryIs, type Generation, isAwaited, reasonIs, stateIs } from './generation.ts'
import type { DeliveryState } from './order.ts'
import { lateLooks } from './pace.ts'
import { nextLookAt, readTask } from './poll.ts'
import { writeAndRelease } from './queue.ts'
import { nextDueAt, revealLate } from './reveal.ts'
import { type Arrived, artifactsFrom, insertOf } from './settle.ts'
import type { StepDeps } from './step-deps.ts'

/** A condition on a row of `generations`: refunded as lost a short time ago, and its task is still not known. */
export const isLostLately = (
  now: Date,
): SQL => sql`(${stateIs('failed')} and ${reasonIs('lost')} and task_id is null
  and settled_at > ${timestamp(now, -lateLooks.forMs)}
  and exists (select from ${users} u where u.id = user_id and u.forgotten_at is null))`

/** When the task of a refunded order is asked about first, as a value of `next_check_at`; null for all other ended orders. */
export const firstLateLook = (now: Date) => sql`case
  when ${stateIs('failed')} and ${reasonIs('late', 'lost', 'task-ended')} and task_id is not null and arrived_late_at is null
  then ${timestamp(now, lateLooks.pauseMs)}
  when ${isLostLately(now)} then ${nextDueAt} end`

export async function lookLate(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const task = await (held.taskId ? readTask(deps, held.id, held.taskId) : revealLate(deps, held))
  // After its user has deleted their data, a task is no longer asked about.
  const unlessForgotten = (at: SQL) => sql`case when next_check_at is not null then ${at} end`
  if (!task) {
    const change = { lastCheckAt: deps.clock.now(), nextCheckAt: unlessForgotten(nextDueAt) }
    return void (await writeAndRelease(deps, held, change))
  }
  if (!(task instanceof GatewayError) && hasCome(task)) return arriveLate(deps, held, task)
  const now = deps.clock.now()
  const isOver = hasFailed(task) || now.getTime() - (held.settledAt ?? now).getTime() > lateLooks.forMs
  const pauseMs = Math.round(lateLooks.pauseMs * (0.8 + 0.4 * deps.random()))
  await writeAndRelease(deps, held, {
    lastCheckAt: now,
    nextCheckAt: isOver ? null : unlessForgotten(nextLookAt(deps, startedAt, pauseMs)),
  })
  if (isOver)
    deps.log.info({ generation: held.id, task: held.taskId }, 'a late task is no longer asked about')
}

/** Writes the task id of an order that was refunded as lost, so that the task is asked about. */
export async function awaitTask(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  taskId: string,
): Promise<void> {
  await db.execute(sql`
    update ${generations} set task_id = ${taskId},
      next_check_at = case when ${deliveryIs('pending')} then next_check_at else ${timestamp(clock.now())} end
    where id = ${id} and ${stateIs('failed')} and ${reasonIs('lost')} and task_id is null
      and not exists (select from ${generations} other where other.task_id = ${taskId})
      and exists (select from ${users} u where u.id = user_id and u.forgotten_at is null)`)
}

/** After a refund the files beside an unknown word count: waiting for a better word would bring nothing. */
const hasCome = ({ status, unknownStatus, results }: GatewayTask): boolean =>
  results > 0 && (status === 'completed' || unknownStatus !== undefined)

const hasFailed = (task: GatewayTask | GatewayError): boolean =>
  !(task instanceof GatewayError) && (task.status === 'failed' || task.status === 'canceled')

type Deps = Pick<StepDeps, 'db' | 'clock' | 'log' | 'metrics' | 'wakeDeliveries'>

/** Makes the result of a refunded order due for delivery, once. */
async function arriveLate(deps: Deps, held: Generation, files: Arrived): Promise<void> {
  const now = deps.clock.now()
  const at = timestamp(now)
  const guard = sql`
    update ${generations} set arrived_late_at = ${at}, delivery = ${'pending' satisfies DeliveryState}, attempts = 0,
      next_check_at = ${at}, lease = null, lease_until = null, claims = 0
    where ${isHeld(generations, held)} and ${isAwaited}
    returning id`
  const statement = sql`
    with guard as (${guard}), arrived as (${insertOf(artifactsFrom(deps, held, files))}) select id from guard`
  const [arrived] = await rows(deps.db, statement, z.object({ id: z.string() }))
  if (!arrived) return
  deps.wakeDeliveries()
  deps.metrics.orders.arrivedLate(held.modelId)
  deps.log.warn(
    { generation: held.id, task: held.taskId, model: held.modelId },
    'a result came after its refund',
  )
}
