// What the gateway says about tasks: only `GET /v1/tasks/{id}` decides.

import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows, violatedConstraint } from '../db/client.ts'
import { isHeld } from '../db/queue.ts'
import { generations, taskCandidates, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { asGatewayError, GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import { backoffMs } from '../runtime/clock.ts'
import {
  after,
  type DeliveryState,
  deliveryIs,
  type Generation,
  isAwaited,
  reasonIs,
  stateIs,
  write,
  writeAndRelease,
} from './generation.ts'
import { type Arrived, artifactsFrom, fail, failRefused, insertOf, type StepDeps, succeed } from './settle.ts'
import {
  candidatesApartMs,
  deadlineOf,
  lastLookMs,
  lateLooks,
  missingTaskLooks,
  nextLookMs,
  unknownGraceMs,
} from './times.ts'

// Running -> succeeded, failed or canceled.

/** A completed task without links counts as empty after this many polls. */
const emptyLooks = 5

/** The pause before a completed task with fewer results than ordered is read once more: some gateways add results one by one. */
const partialPauseMs = 2000

/** One look at a task: the leased row, whose attempts count the looks in a row that found nothing, and when the look began. */
interface Look {
  readonly held: Generation
  readonly startedAt: Date
}

export async function poll(deps: StepDeps, held: Generation): Promise<void> {
  const { id, taskId } = held
  if (!taskId) return fail(deps, held, 'lost')
  const look = { held, startedAt: deps.clock.now() }
  const task = await readTask(deps, id, taskId)
  return task instanceof GatewayError ? withoutAnswer(deps, look, task) : decide(deps, look, task)
}

/** @param id of the generation */
async function readTask(deps: StepDeps, id: string, taskId: string): Promise<GatewayTask | GatewayError> {
  const waitMs = deps.breaker.waitMs()
  if (waitMs > 0) return new GatewayUnavailable('task', 'the gateway cannot be reached', waitMs)
  const task = await deps.breaker.ask(id, () => deps.gateway.readTask(taskId)).catch(asGatewayError)
  deps.metrics.orders.looked(task instanceof GatewayError ? 'unread' : task.status)
  if (!(task instanceof GatewayError)) {
    deps.log.debug({ generation: id, task: taskId, status: task.status }, 'task read')
    return task
  }
  deps.log.warn({ generation: id, task: taskId, error: task }, 'task cannot be read')
  // Words alone are no reason to stop sales here: the order goes on, and would confirm its own suspicion with each look.
  const refusal = deps.refusals.of(task, undefined, {})
  if (refusal?.isCertain) await deps.refusals.stop(refusal)
  return task
}

async function decide(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
  switch (task.status) {
    case 'completed':
      return complete(deps, look, task)
    case 'failed':
      return failTask(deps, look.held, 'task-failed', task.error)
    case 'canceled':
      return failTask(deps, look.held, 'task-canceled', task.error)
    case 'queued':
    case 'processing':
      if (task.unknownStatus) return waitUnsure(deps, look, task)
      return wait(deps, look, pauseMs(deps, look.held), { attempts: 0, progress: task.status })
  }
}

/** Ends the order of a failed task. Its words may say that the gateway could not make it because of us. */
function failTask(
  deps: StepDeps,
  held: Generation,
  reason: 'task-failed' | 'task-canceled' | 'task-ended',
  said: string | undefined,
): Promise<void> {
  const refusal = said === undefined ? undefined : deps.refusals.of({ said }, held.modelId, held.request)
  if (refusal) return failRefused(deps, held, refusal)
  return fail(deps, held, reason, said, reason === 'task-canceled' ? 'cancel' : 'fail')
}

/** An unknown word beside results, or one that looks like a failure, counts as the end after this many looks in a row. */
const unsureLooks = 4

/**
 * Handles a status that is an unknown word. All ordered results, or signs of a failure, end the task after a few looks; at the deadline any
 * results do. Otherwise the word may be about one of its steps.
 */
async function waitUnsure(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
  const { held } = look
  const { unknownStatus: status, seemsFailed = false, error: said } = task
  deps.log.warn({ generation: held.id, task: held.taskId, status, said }, 'unknown task status')
  const isOver = deps.clock.now().getTime() > deadlineOf(held).getTime()
  const isWhole = task.results >= countOrdered(deps, held, task)
  const looks = (isWhole || seemsFailed) && isApart(deps, look) ? held.attempts + 1 : held.attempts
  const isSure = isOver || looks >= unsureLooks
  if (task.results > 0 && (isOver || (isSure && isWhole))) return complete(deps, look, task)
  if (isSure && seemsFailed && task.results === 0) return failTask(deps, held, 'task-ended', said)
  const attempts = isWhole || seemsFailed ? looks : 0
  return wait(deps, look, pauseMs(deps, held), { attempts, progress: 'processing' })
}

/** Looks that a callback has brought forward do not count. */
const isApart = ({ pollIntervalMs }: StepDeps, { held: { lastCheckAt }, startedAt }: Look): boolean =>
  !lastCheckAt || startedAt.getTime() - lastCheckAt.getTime() >= pollIntervalMs / 2

function countOrdered({ catalog }: StepDeps, held: Generation, task: GatewayTask): number {
  return Math.max(1, catalog.find(held.modelId)?.delivers(held.request).count ?? task.results)
}

async function complete(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
  const { held } = look
  const { attempts } = held
  const model = deps.catalog.find(held.modelId)
  const expected = model?.delivers(held.request) ?? { count: task.results }
  if (task.results > 0) {
    const whole = task.results < expected.count ? await readAgain(deps, held, task) : task
    return succeed(deps, held, whole, expected)
  }
  if (attempts >= emptyLooks) return fail(deps, held, 'empty', task.error)
  const pause = backoffMs(attempts, deps.pollIntervalMs, deps.random())
  return wait(deps, look, pause, { attempts: attempts + 1 })
}

/** @returns the task with more results than it has named so far, or else the same task, whatever has become of it meanwhile */
async function readAgain(
  deps: StepDeps,
  { id, taskId }: Generation,
  task: GatewayTask,
): Promise<GatewayTask> {
  if (!taskId) return task
  await deps.clock.wait(partialPauseMs)
  const again = await readTask(deps, id, taskId)
  const hasMore =
    !(again instanceof GatewayError) && again.status === 'completed' && again.results > task.results
  return hasMore ? again : task
}

/** A look without an answer settles nothing before the deadline. */
async function withoutAnswer(deps: StepDeps, look: Look, error: GatewayError): Promise<void> {
  if (error instanceof GatewayRefused && error.status === 404) return handleMissingTask(deps, look)
  const pause = pauseAfter(deps, look.held, error)
  return wait(deps, look, pause, { attempts: 0 }, lastLookMs)
}

/** The usual pause, or a longer one that the gateway has asked for. */
function pauseAfter(deps: StepDeps, held: Generation, error: GatewayError): number {
  const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, pauseMs(deps, held))
}

/** The gateway does not know the task, perhaps only for now. Looks that a callback has brought forward do not count. */
function handleMissingTask(deps: StepDeps, look: Look): Promise<void> {
  const { attempts, lastCheckAt } = look.held
  const isApart = !lastCheckAt || look.startedAt.getTime() - lastCheckAt.getTime() >= missingTaskLooks.apartMs
  const looks = attempts === 0 || isApart ? attempts + 1 : attempts
  if (looks >= missingTaskLooks.looks) return fail(deps, look.held, 'lost')
  return wait(deps, look, Math.round(missingTaskLooks.apartMs * (1 + 0.4 * deps.random())), {
    attempts: looks,
  })
}

async function wait(
  deps: StepDeps,
  { held, startedAt }: Look,
  pause: number,
  change: { attempts: number; progress?: 'queued' | 'processing' },
  beyondMs = 0,
): Promise<void> {
  const now = deps.clock.now()
  if (now.getTime() > deadlineOf(held).getTime() + beyondMs) return fail(deps, held, 'late')
  const waiting = await writeAndRelease(deps, held, {
    ...change,
    lastCheckAt: now,
    nextCheckAt: nextLookAt(deps, startedAt, pause),
  })
  if (waiting) deps.statusUpdates.queue(waiting, { outageSince: deps.breaker.openSince() })
}

/**
 * When the next look is due: after the pause, or soon if a callback came during this look. The callback may be about a change that the
 * look did not see.
 */
function nextLookAt(
  { clock, pollIntervalMs }: Pick<StepDeps, 'clock' | 'pollIntervalMs'>,
  startedAt: Date,
  pause: number,
): SQL {
  const later = (ms: number) => timestamp(clock.now(), ms)
  return sql`case when ${generations.callbackAt} >= ${timestamp(startedAt)}
    then ${later(pollIntervalMs / 4)} else ${later(pause)} end`
}

const pauseMs = (deps: StepDeps, held: Generation): number =>
  nextLookMs(elapsedMs(deps, held), deps.pollIntervalMs, deps.random())

function elapsedMs({ clock }: StepDeps, { submittedAt, createdAt }: Generation): number {
  return clock.now().getTime() - (submittedAt ?? createdAt).getTime()
}

// Orders without a known outcome at the gateway. One whose submit got no answer is never submitted again: callbacks may name its task,
// the gateway is asked about each id that they named, and a task that fits the order is adopted. Without one the order is refunded after
// a grace period. A task that was refunded before it ended is asked about for a day more; its result is delivered free, and no money
// moves again.

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

/** After a refund, files also count when the task has a status that the specification does not list: another poll would add nothing. */
const hasCome = ({ status, unknownStatus, results }: GatewayTask): boolean =>
  results > 0 && (status === 'completed' || unknownStatus !== undefined)

const hasFailed = (task: GatewayTask | GatewayError | undefined): boolean =>
  task !== undefined &&
  !(task instanceof GatewayError) &&
  (task.status === 'failed' || task.status === 'canceled')

/** Writes the task id of an order that was refunded as lost, so that the task is asked about. */
export async function awaitTask(
  { db, clock }: Pick<LateDeps, 'db' | 'clock'>,
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

type LateDeps = Pick<StepDeps, 'db' | 'clock' | 'log' | 'metrics' | 'wakeDeliveries'>

/** Makes the result of a refunded order due for delivery, once. */
async function arriveLate(deps: LateDeps, held: Generation, files: Arrived): Promise<void> {
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
