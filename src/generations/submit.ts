// Held -> submitting -> running. Submitting is not idempotent (the gateway has no key for it), so only what certainly did
// not arrive is tried again; a lost answer is `unknown` and never sent twice.

import {
  GatewayError,
  GatewayOutOfBalance,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
} from '../gateway/errors.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { backoffMs, submitDeadlineMs, unknownGraceMs } from './pace.ts'
import { handBack, write } from './queue.ts'
import { stopSales } from './sales.ts'
import { fail } from './settle.ts'

export async function submit(deps: GenerationDeps, held: Generation): Promise<void> {
  const model = deps.catalog.find(held.modelId)
  if (!model) return fail(deps, held, 'refused', 'the model is no longer in the catalog')
  const submitting = await write(deps, held, { state: 'submitting', submittedAt: deps.clock.now() })
  if (!submitting) return
  try {
    const { callbackPath } = model
    const callback =
      callbackPath && deps.callbackUrl ? { [callbackPath]: deps.callbackUrl(held.callbackToken) } : {}
    const task = await deps.gateway.createTask(deps.catalog.path(model), { ...held.request, ...callback })
    await start(deps, submitting, task.id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await afterError(deps, submitting, error)
  }
}

async function start(deps: GenerationDeps, submitting: Generation, taskId: string): Promise<void> {
  const nextCheckAt = new Date(deps.clock.now().getTime() + deps.pollIntervalMs)
  const running = await handBack(deps, submitting, { state: 'running', taskId, nextCheckAt, attempts: 0 })
  if (running) await deps.messenger.show(running)
}

async function afterError(deps: GenerationDeps, submitting: Generation, error: GatewayError): Promise<void> {
  if (error instanceof GatewayRefused) return fail(deps, submitting, 'refused', error.said)
  if (error instanceof GatewayUnavailable) return tryLater(deps, submitting, error)
  if (error instanceof GatewayUnauthorised || error instanceof GatewayOutOfBalance) {
    const cause = error instanceof GatewayUnauthorised ? 'unauthorised' : 'out-of-balance'
    deps.log.error({ cause, error }, 'sales stopped')
    await stopSales(deps.db, cause, deps.clock.now())
    return fail(deps, submitting, 'paused')
  }
  deps.log.error({ generation: submitting.id, error }, 'submit has an unknown outcome')
  await becomeUnknown(deps, submitting)
}

async function tryLater(
  deps: GenerationDeps,
  submitting: Generation,
  error: GatewayUnavailable,
): Promise<void> {
  const now = deps.clock.now().getTime()
  if (now - submitting.createdAt.getTime() > submitDeadlineMs) return fail(deps, submitting, 'unavailable')
  const pause = backoffMs(submitting.attempts, deps.pollIntervalMs, deps.random(), error.retryAfterMs)
  await handBack(deps, submitting, {
    state: 'held',
    attempts: submitting.attempts + 1,
    nextCheckAt: new Date(now + pause),
  })
}

/** Also for a generation found `submitting` by a later worker: its process died between the POST and the commit. */
export async function becomeUnknown(deps: GenerationDeps, held: Generation): Promise<void> {
  const nextCheckAt = new Date((held.submittedAt ?? deps.clock.now()).getTime() + unknownGraceMs)
  const unknown = await handBack(deps, held, { state: 'unknown', nextCheckAt })
  if (unknown) await deps.messenger.show(unknown)
}
