// What the gateway says about tasks: only `GET /v1/tasks/{id}` decides.

import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows, violatedConstraint } from '../db/client.ts'
import { isHeld } from '../db/queue.ts'
import { artifacts, generations, taskCandidates, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { asGatewayError, GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import { backoffMs } from '../runtime/clock.ts'
import {
  after,
  deliveryIs,
  type Generation,
  isAwaited,
  reasonIs,
  stateIs,
  write,
  writeAndRelease,
} from './generation.ts'
import { type Arrived, fail, failRefused, filesOf, recordsOf, type StepDeps, succeed } from './settle.ts'
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
/** An unknown word beside results, or one that looks like a failure, counts as the end after this many looks in a row. */
const unsureLooks = 4

/** One look at a task: the leased row, whose attempts count the looks in a row that found nothing, and when the look began. */
interface Look {
  readonly held: Generation
  readonly startedAt: Date
}

export async function poll(deps: StepDeps, held: Generation): Promise<void> {
  if (!held.taskId) return fail(deps, held, 'lost')
  const look = { held, startedAt: deps.clock.now() }
  const task = await readTask(deps, held.id, held.taskId)
  return task instanceof GatewayError ? withoutAnswer(deps, look, task) : decide(deps, look, task)
}

async function readTask(deps: StepDeps, id: string, taskId: string): Promise<GatewayTask | GatewayError> {
  const waitMs = deps.breaker.waitMs()
  if (waitMs) return new GatewayUnavailable('task', 'the gateway cannot be reached', waitMs)
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
      return wait(deps, look, { attempts: 0, progress: task.status })
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

/**
 * Handles a status that is an unknown word. All ordered results, or signs of a failure, end the task after a few looks; at the deadline any
 * results do. Otherwise the word may be about one of its steps.
 */
async function waitUnsure(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
  const { held } = look
  const { unknownStatus: status, seemsFailed = false, error: said, results } = task
  deps.log.warn({ generation: held.id, task: held.taskId, status, said }, 'unknown task status')
  const isOver = deps.clock.now().getTime() > deadlineOf(held).getTime()
  const isEnough = results >= (isOver ? 1 : Math.max(1, ordered(deps, held, task).count))
  const isSign = isEnough || seemsFailed
  const looks = isApart(look, deps.pollIntervalMs / 2) ? held.attempts + 1 : held.attempts
  const isSure = isOver || looks >= unsureLooks
  if (isSure && isEnough) return complete(deps, look, task)
  if (isSure && seemsFailed && results === 0) return failTask(deps, held, 'task-ended', said)
  return wait(deps, look, { attempts: isSign ? looks : 0, progress: 'processing' })
}

/** Looks that a callback has brought forward do not count. */
const isApart = ({ held: { lastCheckAt }, startedAt }: Look, apartMs: number): boolean =>
  !lastCheckAt || startedAt.getTime() - lastCheckAt.getTime() >= apartMs

/** What was ordered; what the task has when its model is no longer in the catalog. */
const ordered = ({ catalog }: StepDeps, held: Generation, { results }: GatewayTask) =>
  catalog.find(held.modelId)?.delivers(held.request) ?? { count: results }

async function complete(deps: StepDeps, look: Look, task: GatewayTask): Promise<void> {
  const { held } = look
  const { attempts } = held
  const expected = ordered(deps, held, task)
  if (task.results > 0) {
    const whole = task.results < expected.count ? await readAgain(deps, held, task) : task
    return succeed(deps, held, whole, expected)
  }
  if (attempts >= emptyLooks) return fail(deps, held, 'empty', task.error)
  const pause = backoffMs(attempts, deps.pollIntervalMs, deps.random())
  return wait(deps, look, { attempts: attempts + 1 }, pause)
}

/** @returns the task with more results than it has named so far, or else the same task, whatever has become of it meanwhile */
async function readAgain(deps: StepDeps, held: Generation, task: GatewayTask): Promise<GatewayTask> {
  await deps.clock.wait(partialPauseMs)
  const again = await readTask(deps, held.id, held.taskId ?? '')
  return !(again instanceof GatewayError) && again.results > task.results ? again : task
}

/** A look without an answer settles nothing before the deadline. The gateway may not know a task only for now. */
async function withoutAnswer(deps: StepDeps, look: Look, error: GatewayError): Promise<void> {
  const { held } = look
  if (!deps.refusals.isUnknownTask(error))
    return wait(deps, look, { attempts: 0 }, pauseAfter(deps, held, error), lastLookMs)
  const { looks, apartMs } = missingTaskLooks
  const attempts = held.attempts === 0 || isApart(look, apartMs) ? held.attempts + 1 : held.attempts
  if (attempts >= looks) return fail(deps, held, 'lost')
  return wait(deps, look, { attempts }, Math.round(apartMs * (1 + 0.4 * deps.random())))
}

/** The usual pause, or a longer one that the gateway has asked for. */
function pauseAfter(deps: StepDeps, held: Generation, error: GatewayError): number {
  const asked = error instanceof GatewayUnavailable ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, pauseMs(deps, held))
}

function pauseMs({ clock, pollIntervalMs, random }: StepDeps, held: Generation): number {
  const elapsedMs = clock.now().getTime() - (held.submittedAt ?? held.createdAt).getTime()
  return nextLookMs(elapsedMs, pollIntervalMs, random())
}

async function wait(
  deps: StepDeps,
  { held, startedAt }: Look,
  change: { attempts: number; progress?: 'queued' | 'processing' },
  pause = pauseMs(deps, held),
  beyondMs = 0,
): Promise<void> {
  const now = deps.clock.now()
  if (now.getTime() > deadlineOf(held).getTime() + beyondMs) return fail(deps, held, 'late')
  const nextCheckAt = nextLookAt(deps, startedAt, pause)
  const waiting = await writeAndRelease(deps, held, { ...change, lastCheckAt: now, nextCheckAt })
  if (waiting) deps.statusUpdates.queue(waiting, { outageSince: deps.breaker.openSince() })
}

/** After the pause, or soon if a callback came during this look: it may be about a change that the look did not see. */
function nextLookAt({ clock, pollIntervalMs }: StepDeps, startedAt: Date, pause: number): SQL {
  const later = (ms: number) => timestamp(clock.now(), ms)
  return sql`case when ${generations.callbackAt} >= ${timestamp(startedAt)}
    then ${later(pollIntervalMs / 4)} else ${later(pause)} end`
}

// Orders without a known outcome at the gateway. One whose submit got no answer is never submitted again: callbacks may name its task,
// the gateway is asked about each id that they named, and a task that fits the order is adopted. Without one the order is refunded after
// a grace period. A task that was refunded before it ended is asked about for a day more; its result is delivered free, and no money
// moves again.

interface Search {
  /** The order with its task, under the lease that is still held. */
  readonly adopted?: { readonly held: Generation; readonly task: GatewayTask }
  readonly isNamed: boolean
  /** The pause after an answer that says nothing about an id. */
  readonly unreadMs: number
}

/** The most ids that one poll asks about: those that callbacks named last. */
const maxAsked = 8

async function search(deps: StepDeps, held: Generation): Promise<Search> {
  const { generationId, toldAt, rank } = taskCandidates
  const named = await deps.db
    .select()
    .from(taskCandidates)
    .where(eq(generationId, held.id))
    .orderBy(desc(toldAt), rank)
    .limit(maxAsked)
  const isNamed = named.length > 0
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
    if (adopted) return { adopted: { held: adopted, task }, isNamed, unreadMs }
  }
  return { isNamed, unreadMs }
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
  const revealed = { attempts: 0, nextCheckAt: deps.clock.now() }
  const state = held.state === 'failed' ? {} : { state: after(held.state, 'reveal'), ...revealed }
  return write(deps, held, { taskId, ...state }).catch((error: unknown) => {
    if (violatedConstraint(error) === 'generations_task_id_key') return undefined
    throw error
  })
}

export async function reveal(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const { adopted, isNamed, unreadMs } = await search(deps, held)
  if (adopted) return decide(deps, { held: adopted.held, startedAt }, adopted.task)
  // Ids that the gateway cannot be asked about wait as long as a running task for its last poll.
  const graceMs = unknownGraceMs + (unreadMs ? lastLookMs : 0)
  const now = deps.clock.now()
  const endsAt = (held.submittedAt ?? held.createdAt).getTime() + graceMs
  const leftMs = Math.max(0, endsAt - now.getTime())
  if (leftMs === 0) return fail(deps, held, 'lost')
  const pause = isNamed ? Math.min(unreadMs || candidatesApartMs, leftMs) : leftMs
  await writeAndRelease(deps, held, { lastCheckAt: now, nextCheckAt: nextLookAt(deps, startedAt, pause) })
}

const isUserHere = sql`exists (select from ${users} u where u.id = user_id and u.forgotten_at is null)`

/** A condition on a row of `generations`: refunded as lost a short time ago, and its task is still not known. */
export const isLostLately = (now: Date): SQL => sql`(${stateIs('failed')} and ${reasonIs('lost')}
  and task_id is null and settled_at > ${timestamp(now, -lateLooks.forMs)} and ${isUserHere})`

/** When the task of a refunded order is polled first, as a value of `next_check_at`; null without an id, and for all other ended orders. */
export const firstLateLook = (now: Date) => sql`case
  when ${stateIs('failed')} and ${reasonIs('late', 'lost', 'task-ended')} and arrived_late_at is null then case
    when callback_at >= settled_at then ${timestamp(now)}
    when task_id is not null or exists (select from ${taskCandidates} c where c.generation_id = generations.id)
    then ${timestamp(now, lateLooks.pauseMs)} end end`

export async function lookLate(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const found = held.taskId ? undefined : await search(deps, held)
  const read = held.taskId ? await readTask(deps, held.id, held.taskId) : found?.adopted?.task
  const task = read instanceof GatewayError ? undefined : read
  // Files also count when the status is an unknown word: another poll would add nothing.
  if (task && task.results > 0 && (task.status === 'completed' || task.unknownStatus !== undefined))
    return arriveLate(deps, held, task)
  const now = deps.clock.now()
  const hasFailed = task?.status === 'failed' || task?.status === 'canceled'
  const isOver = hasFailed || now.getTime() - (held.settledAt ?? now).getTime() > lateLooks.forMs
  const mayBeKnownLater = read !== undefined || found?.isNamed === true
  const pause = Math.round(lateLooks.pauseMs * (0.8 + 0.4 * deps.random()))
  // After its user has deleted their data, a task is no longer asked about.
  const nextCheckAt = sql`case when next_check_at is not null
    and (${mayBeKnownLater}::boolean or callback_at >= ${timestamp(startedAt)}) then ${nextLookAt(deps, startedAt, pause)} end`
  await writeAndRelease(deps, held, { lastCheckAt: now, nextCheckAt: isOver ? null : nextCheckAt })
  if (isOver)
    deps.log.info({ generation: held.id, task: held.taskId }, 'a late task is no longer asked about')
}

/** Writes the task id of an order that was refunded as lost, so that the task is asked about. */
export async function awaitTask(
  { db, clock }: Pick<StepDeps, 'db' | 'clock'>,
  id: string,
  taskId: string,
): Promise<void> {
  await db.execute(sql`
    update ${generations} set task_id = ${taskId},
      next_check_at = case when ${deliveryIs('pending')} then next_check_at else ${timestamp(clock.now())} end
    where id = ${id} and ${stateIs('failed')} and ${reasonIs('lost')} and task_id is null
      and not exists (select from ${generations} other where other.task_id = ${taskId}) and ${isUserHere}`)
}

/** Makes the result of a refunded order due for delivery, once. */
async function arriveLate(deps: StepDeps, held: Generation, files: Arrived): Promise<void> {
  const at = timestamp(deps.clock.now())
  const statement = sql`
    with guard as (
      update ${generations} set arrived_late_at = ${at}, provider = ${files.provider ?? null}::text, delivery = 'pending', attempts = 0, next_check_at = ${at},
        lease = null, lease_until = null, claims = 0
      where ${isHeld(generations, held)} and ${isAwaited}
      returning id
    ), arrived as (
      insert into ${artifacts} (generation_id, position, url, seed, result_id)
      select id, position, url, file.seed, "resultId" from guard, ${recordsOf(filesOf(held, files))}
      on conflict (generation_id, position) do update set url = excluded.url, seed = excluded.seed, result_id = excluded.result_id
    )
    select id from guard`
  const [arrived] = await rows(deps.db, statement, z.object({ id: z.string() }))
  if (!arrived) return
  deps.metrics.orders.arrivedLate(held.modelId)
  const facts = { generation: held.id, task: held.taskId, model: held.modelId }
  deps.log.warn(facts, 'a result came after its refund')
}
