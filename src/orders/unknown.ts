// Orders without a known outcome at the gateway. One whose submit got no answer is never submitted again: callbacks may name its task, the
// gateway is asked about each id that they named, and a task that fits the order is adopted. Without one the order is refunded after a grace
// period. A task that was refunded before it ended is asked about for a day more; its result is delivered free, and no money moves again.

import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows, violatedConstraint } from '../db/client.ts'
import { isHeld } from '../db/queue.ts'
import { generations, taskCandidates, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import { deliveryIs, type Generation, isAwaited, reasonIs, stateIs } from './generation.ts'
import { after, type DeliveryState } from './order.ts'
import { candidatesApartMs, lastLookMs, lateLooks, unknownGraceMs } from './pace.ts'
import { decide, nextLookAt, pauseAfter, readTask } from './poll.ts'
import { write, writeAndRelease } from './queue.ts'
import { type Arrived, artifactsFrom, fail, insertOf } from './settle.ts'
import type { StepDeps } from './step-deps.ts'

/** The order with its task, under the lease that is still held; else whether ids were named, and after what pause to ask again. */
type Search =
  | { readonly adopted: Generation; readonly task: GatewayTask }
  | { readonly adopted: undefined; readonly isNamed: boolean; readonly unreadMs: number }

/** The most ids that one poll asks about: those that callbacks named last. */
const maxAsked = 8

/** Asks the gateway about the ids that callbacks have named. */
async function search(deps: StepDeps, held: Generation): Promise<Search> {
  const { generationId, toldAt, rank } = taskCandidates
  const named = await deps.db
    .select()
    .from(taskCandidates)
    .where(eq(generationId, held.id))
    .orderBy(desc(toldAt), rank)
    .limit(maxAsked)
  /** The pause after an answer that says nothing about an id. */
  let unreadMs = 0
  for (const { taskId } of named) {
    const task = await readTask(deps, held.id, taskId)
    if (task instanceof GatewayError) {
      if (!(task instanceof GatewayRefused)) unreadMs = Math.max(unreadMs, pauseAfter(deps, held, task))
      continue
    }
    const adopted = fits(held, task) ? await adopt(deps, held, taskId) : undefined
    const facts = { generation: held.id, task: taskId, model: task.model, created: task.created }
    deps.log.info(facts, adopted ? 'the task was revealed' : 'a callback named a task of another order')
    if (adopted) return { adopted, task }
  }
  return { adopted: undefined, isNamed: named.length > 0, unreadMs }
}

/** How far the gateway's clock may be behind ours. */
const clockSkewMs = 5 * 60_000

/** Whether the task is of the ordered model and was created after the order, as far as the gateway says. */
function fits({ request, createdAt }: Generation, { model, created }: GatewayTask): boolean {
  const isOlder = created !== undefined && created.getTime() < createdAt.getTime() - clockSkewMs
  return !isOlder && (model === undefined || model === request.model)
}

/** Assigns the task to the order; undefined when the task belongs to another generation, or the lease was lost. */
function adopt(deps: StepDeps, held: Generation, taskId: string): Promise<Generation | undefined> {
  const now = deps.clock.now()
  const change =
    held.state === 'failed'
      ? { taskId }
      : { state: after(held.state, 'reveal'), taskId, attempts: 0, nextCheckAt: now }
  return write(deps, held, change).catch((error: unknown) => {
    if (violatedConstraint(error) === 'generations_task_id_key') return undefined
    throw error
  })
}

export async function reveal(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const found = await search(deps, held)
  if (found.adopted) return decide(deps, { held: found.adopted, startedAt }, found.task)
  // Ids that the gateway cannot be asked about wait as long as a running task for its last poll.
  const graceMs = unknownGraceMs + (found.unreadMs > 0 ? lastLookMs : 0)
  const now = deps.clock.now()
  const leftMs = (held.submittedAt ?? held.createdAt).getTime() + graceMs - now.getTime()
  if (leftMs <= 0) return fail(deps, held, 'lost')
  const pauseMs = found.isNamed ? Math.min(found.unreadMs || candidatesApartMs, leftMs) : leftMs
  await writeAndRelease(deps, held, { lastCheckAt: now, nextCheckAt: nextLookAt(deps, startedAt, pauseMs) })
}

/** A condition on a row of `generations`: refunded as lost a short time ago, and its task is still not known. */
export const isLostLately = (
  now: Date,
): SQL => sql`(${stateIs('failed')} and ${reasonIs('lost')} and task_id is null
  and settled_at > ${timestamp(now, -lateLooks.forMs)}
  and exists (select from ${users} u where u.id = user_id and u.forgotten_at is null))`

/** When the task of a refunded order is polled first, as a value of `next_check_at`; null without an id, and for all other ended orders. */
export const firstLateLook = (now: Date) => sql`case
  when ${stateIs('failed')} and ${reasonIs('late', 'lost', 'task-ended')} and arrived_late_at is null then case
    when callback_at >= settled_at then ${timestamp(now)}
    when task_id is not null or exists (select from ${taskCandidates} c where c.generation_id = generations.id)
    then ${timestamp(now, lateLooks.pauseMs)} end end`

export async function lookLate(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const found = held.taskId ? undefined : await search(deps, held)
  const task = held.taskId ? await readTask(deps, held.id, held.taskId) : found?.adopted && found.task
  if (task && !(task instanceof GatewayError) && hasCome(task)) return arriveLate(deps, held, task)
  const now = deps.clock.now()
  const isOver = hasFailed(task) || now.getTime() - (held.settledAt ?? now).getTime() > lateLooks.forMs
  const mayBeKnownLater = task !== undefined || (found && !found.adopted && isAskedAgain(held, found, now))
  const pauseMs = Math.round(lateLooks.pauseMs * (0.8 + 0.4 * deps.random()))
  const later = nextLookAt(deps, startedAt, pauseMs)
  // After its user has deleted their data, a task is no longer asked about.
  const nextCheckAt = sql`case when next_check_at is not null
    and (${mayBeKnownLater ?? false}::boolean or callback_at >= ${timestamp(startedAt)}) then ${later} end`
  await writeAndRelease(deps, held, { lastCheckAt: now, nextCheckAt: isOver ? null : nextCheckAt })
  if (isOver)
    deps.log.info({ generation: held.id, task: held.taskId }, 'a late task is no longer asked about')
}

/** Ids that the gateway did not know are asked about once more after a callback, others until the gateway answers. */
const isAskedAgain = (
  { callbackAt }: Generation,
  { isNamed, unreadMs }: Extract<Search, { adopted: undefined }>,
  now: Date,
): boolean =>
  isNamed && (unreadMs > 0 || now.getTime() - (callbackAt?.getTime() ?? 0) < lateLooks.pauseMs / 2)

/** After a refund the files beside an unknown word count: waiting for a better word would bring nothing. */
const hasCome = ({ status, unknownStatus, results }: GatewayTask): boolean =>
  results > 0 && (status === 'completed' || unknownStatus !== undefined)

const hasFailed = (task: GatewayTask | GatewayError | undefined): boolean =>
  task !== undefined &&
  !(task instanceof GatewayError) &&
  (task.status === 'failed' || task.status === 'canceled')

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
