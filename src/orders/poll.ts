// Running -> succeeded, failed or canceled. Only `GET /v1/tasks/{id}` decides.

import { type SQL, sql } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { asGatewayError, GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import { backoffMs } from '../runtime/clock.ts'
import type { Generation } from './generation.ts'
import { lastLookMs, missingTaskLooks, nextLookMs } from './pace.ts'
import { writeAndRelease } from './queue.ts'
import { deadlineOf } from './run-limits.ts'
import { fail, failRefused, succeed } from './settle.ts'
import type { StepDeps } from './step-deps.ts'

/** A completed task without links counts as empty after this many looks. */
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
export async function readTask(
  deps: StepDeps,
  id: string,
  taskId: string,
): Promise<GatewayTask | GatewayError> {
  const waitMs = deps.circuit.waitMs()
  if (waitMs > 0) return new GatewayUnavailable('task', 'the gateway cannot be reached', waitMs)
  const task = await deps.circuit.ask(id, () => deps.gateway.readTask(taskId)).catch(asGatewayError)
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

export async function decide(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
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
export function pauseAfter(deps: StepDeps, held: Generation, error: GatewayError): number {
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
  if (waiting) deps.statusUpdates.queue(waiting, { outageSince: deps.circuit.openSince() })
}

/**
 * When the next look is due: after the pause, or soon if a callback came during this look. The callback may be about a change that the
 * look did not see.
 */
export function nextLookAt(
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
