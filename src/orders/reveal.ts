// Finds the task of an order whose submit got no answer. Callbacks name candidates, the task ids that it may have; the gateway is asked
// about each, and one that it knows and that fits the order is adopted. Without one the order fails after its grace period.

import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { violatedConstraint } from '../db/client.ts'
import { taskCandidates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import type { Generation } from './generation.ts'
import { after } from './order.ts'
import { candidateLooks, lastLookMs, unknownGraceMs } from './pace.ts'
import { decide, pauseAfter, readTask } from './poll.ts'
import { write, writeAndRelease } from './queue.ts'
import { fail } from './settle.ts'
import type { StepDeps } from './step-deps.ts'

type Candidate = typeof taskCandidates.$inferSelect

/** When the next candidate of a row of `generations` is due; null without one. */
export const nextDueAt = sql`(select min(c.due_at) from ${taskCandidates} c where c.generation_id = generations.id)`

export async function reveal(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const givenUpMs = (held.submittedAt ?? held.createdAt).getTime() + unknownGraceMs
  const candidate = await nextCandidate(deps, held)
  // A candidate that the gateway cannot be asked about waits as long as a running task for its last look.
  const isOver = startedAt.getTime() >= givenUpMs + (candidate ? lastLookMs : 0)
  if (isOver) return fail(deps, held, 'lost')
  const found = await examine(deps, held, candidate)
  if (found) return decide(deps, { held: found.adopted, startedAt }, found.task)
  const now = deps.clock.now()
  const soonest = timestamp(now, deps.pollIntervalMs / 4)
  const nextCheckAt = sql`greatest(${soonest}, coalesce(${nextDueAt}, ${timestamp(new Date(givenUpMs))}))`
  await writeAndRelease(deps, held, { lastCheckAt: now, nextCheckAt })
}

/** Looks for the task of an order that was refunded as lost. The order gets the task's id; its state does not change. */
export async function revealLate(deps: StepDeps, held: Generation): Promise<GatewayTask | undefined> {
  return (await examine(deps, held, await nextCandidate(deps, held)))?.task
}

/**
 * The candidate that is asked about next. Among those that are due it is the one with the fewest looks, the most likely first, so that the
 * right one does not wait until many wrong ones are rejected.
 */
async function nextCandidate(
  { db, clock }: Pick<StepDeps, 'db' | 'clock'>,
  { id }: Generation,
): Promise<Candidate | undefined> {
  const { generationId, dueAt, looks, rank, toldAt } = taskCandidates
  const [next] = await db
    .select()
    .from(taskCandidates)
    .where(and(eq(generationId, id), isNotNull(dueAt)))
    .orderBy(sql`${dueAt} > ${timestamp(clock.now())}`, asc(looks), asc(rank), asc(toldAt))
    .limit(1)
  return next
}

interface Found {
  /** The order with the task, under the lease that is still held. */
  readonly adopted: Generation
  readonly task: GatewayTask
}

/** Asks about a candidate if it is due. @returns the task if it is that of the order */
async function examine(
  deps: StepDeps,
  held: Generation,
  candidate: Candidate | undefined,
): Promise<Found | undefined> {
  if (!candidate?.dueAt || candidate.dueAt > deps.clock.now()) return undefined
  const { taskId } = candidate
  const task = await readTask(deps, held.id, taskId)
  if (task instanceof GatewayRefused) return reject(deps, candidate)
  if (task instanceof GatewayError) return change(deps, candidate, { dueInMs: pauseAfter(deps, held, task) })
  const adopted = fits(held, task) ? await adopt(deps, held, taskId) : undefined
  const facts = { generation: held.id, task: taskId, model: task.model, created: task.created }
  deps.log.info(
    facts,
    adopted ? 'the task was revealed' : 'a callback named a task that is not of this order',
  )
  return adopted ? { adopted, task } : reject(deps, candidate)
}

/**
 * Counts a look at a candidate that the gateway does not know, or that is the task of something else. The gateway may know it a little
 * later, so a candidate gets several looks.
 */
function reject(deps: StepDeps, candidate: Candidate): Promise<undefined> {
  const looks = candidate.looks + 1
  return change(deps, candidate, {
    looks,
    dueInMs: looks < candidateLooks.looks ? candidateLooks.apartMs : undefined,
  })
}

interface Change {
  readonly looks?: number
  readonly dueInMs: number | undefined
}

/** Changes nothing if a callback has named the candidate again during the look: the look may have been too early. */
async function change({ db, clock }: StepDeps, candidate: Candidate, to: Change): Promise<undefined> {
  const { generationId, taskId, dueAt } = taskCandidates
  const { looks = candidate.looks, dueInMs } = to
  const next = dueInMs === undefined ? null : new Date(clock.now().getTime() + dueInMs)
  const isIt = and(eq(generationId, candidate.generationId), eq(taskId, candidate.taskId))
  const isUnchanged = candidate.dueAt ? eq(dueAt, candidate.dueAt) : isNull(dueAt)
  await db.update(taskCandidates).set({ looks, dueAt: next }).where(and(isIt, isUnchanged))
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
  const isOver = held.state === 'failed'
  const change = isOver
    ? { taskId }
    : { state: after(held.state, 'reveal'), taskId, attempts: 0, nextCheckAt: now }
  return write(deps, held, change).catch((error: unknown) => {
    if (violatedConstraint(error) === 'generations_task_id_key') return undefined
    throw error
  })
}
