// Running -> succeeded, failed or canceled: `GET /v1/tasks/{id}` decides, nothing else does.

import { sql } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import type { GatewayTask } from '../gateway/client.ts'
import { GatewayError, GatewayUnavailable } from '../gateway/errors.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { backoffMs, nextLookMs, runDeadlineMs } from './pace.ts'
import { handBack } from './queue.ts'
import { fail, succeed } from './settle.ts'

/** A completed task without links is looked at this many times before it counts as empty. */
const emptyLooks = 5

/** One look at a task: the leased row, and when the look began. */
interface Look {
  readonly held: Generation
  readonly startedAt: Date
}

export async function poll(deps: GenerationDeps, held: Generation): Promise<void> {
  if (!held.taskId) return fail(deps, held, 'lost')
  const look = { held, startedAt: deps.clock.now() }
  try {
    await decide(deps, look, await deps.gateway.readTask(held.taskId))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    deps.log.warn({ generation: held.id, task: held.taskId, error }, 'task can not be read')
    const asked = error instanceof GatewayUnavailable ? error.retryAfterMs : undefined
    await lookAgain(deps, look, asked)
  }
}

async function decide(deps: GenerationDeps, look: Look, task: GatewayTask): Promise<void> {
  switch (task.status) {
    case 'completed':
      return complete(deps, look, task.urls)
    case 'failed':
      return fail(deps, look.held, 'task-failed', task.error)
    case 'canceled':
      return fail(deps, look.held, 'task-canceled', task.error)
    case 'queued':
    case 'processing': {
      const pauseMs = nextLookMs(elapsedMs(deps, look.held), deps.pollIntervalMs, deps.random())
      return wait(deps, look, pauseMs, { attempts: 0, progress: task.status })
    }
  }
}

async function complete(deps: GenerationDeps, look: Look, urls: readonly string[]): Promise<void> {
  const { held } = look
  const model = deps.catalog.find(held.modelId)
  const expected = model?.delivers(held.request) ?? { count: urls.length }
  if (urls.length > 0) return succeed(deps, held, urls, expected)
  if (held.attempts >= emptyLooks) return fail(deps, held, 'empty')
  return lookAgain(deps, look)
}

function lookAgain(deps: GenerationDeps, look: Look, askedMs?: number): Promise<void> {
  const { attempts } = look.held
  const pauseMs = backoffMs(attempts, deps.pollIntervalMs, deps.random(), askedMs)
  return wait(deps, look, pauseMs, { attempts: attempts + 1 })
}

async function wait(
  deps: GenerationDeps,
  { held, startedAt }: Look,
  pauseMs: number,
  change: { attempts: number; progress?: 'queued' | 'processing' },
): Promise<void> {
  if (elapsedMs(deps, held) > runDeadlineMs) return fail(deps, held, 'late')
  const now = deps.clock.now()
  const later = (ms: number) => sql`${new Date(now.getTime() + ms)}::timestamptz`
  const waiting = await handBack(deps, held, {
    ...change,
    lastCheckAt: now,
    // A callback that came while we were looking may be news that the look has missed.
    nextCheckAt: sql`case when ${generations.callbackAt} >= ${startedAt}::timestamptz
      then ${later(deps.pollIntervalMs / 4)} else ${later(pauseMs)} end`,
  })
  if (waiting) await deps.messenger.show(waiting)
}

function elapsedMs({ clock }: GenerationDeps, { submittedAt, createdAt }: Generation): number {
  return clock.now().getTime() - (submittedAt ?? createdAt).getTime()
}
