// Finds the task of an order whose submit got no answer. Callbacks name candidates; the gateway is asked about each, and one
// that it knows and that fits the order is adopted. Without one the order fails after its grace period.

import { violatedConstraint } from '../db/client.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import type { Generation } from '../generations/generation.ts'
import { nextCandidate, postpone, reject } from './candidates.ts'
import { decide, pauseAfter, readTask } from './poll.ts'
import { write, writeAndRelease } from './queue.ts'
import type { StepDeps } from './step-deps.ts'

export async function reveal(deps: StepDeps, held: Generation): Promise<void> {
  const startedAt = deps.clock.now()
  const found = await lookAtNext(deps, held)
  if (found) return decide(deps, { held: found.adopted, startedAt }, found.task)
  await writeAndRelease(deps, held, { lastCheckAt: deps.clock.now() })
}

/** Looks for the task of an order that was refunded as lost. The order gets the task's id; its state does not change. */
export async function revealLate(deps: StepDeps, held: Generation): Promise<GatewayTask | undefined> {
  return (await lookAtNext(deps, held))?.task
}

/** One look at the most likely of the candidates with the fewest looks. */
async function lookAtNext(
  deps: StepDeps,
  held: Generation,
): Promise<Extract<Found, { kind: 'ours' }> | undefined> {
  const named = await nextCandidate(deps, held)
  if (!named) return undefined
  const found = await examine(deps, held, named.taskId)
  if (found.kind === 'ours') return found
  if (found.kind === 'wrong') await reject(deps, named)
  else await postpone(deps, named, pauseAfter(deps, held, found.error))
  return undefined
}

type Found =
  /** The task was assigned to the order, whose lease is still held. */
  | { readonly kind: 'ours'; readonly adopted: Generation; readonly task: GatewayTask }
  /** The task is not of this order, or the lease was lost, in which case nothing can be written anyway. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'unread'; readonly error: GatewayError }

async function examine(deps: StepDeps, held: Generation, taskId: string): Promise<Found> {
  const task = await readTask(deps, held.id, taskId)
  if (task instanceof GatewayRefused) return { kind: 'wrong' }
  if (task instanceof GatewayError) return { kind: 'unread', error: task }
  const facts = { generation: held.id, task: taskId, model: task.model, created: task.created }
  const adopted = fits(held, task) ? await adopt(deps, held, taskId) : undefined
  deps.log.info(
    facts,
    adopted ? 'the task was revealed' : 'a callback named a task that is not of this order',
  )
  return adopted ? { kind: 'ours', adopted, task } : { kind: 'wrong' }
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
  const change = isOver ? { taskId } : ({ state: 'running', taskId, attempts: 0, nextCheckAt: now } as const)
  return write(deps, held, change).catch((error: unknown) => {
    if (violatedConstraint(error) === 'generations_task_id_key') return undefined
    throw error
  })
}
