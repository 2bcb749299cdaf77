// Held -> submitting -> running. Submitting is not idempotent (the gateway has no key for it), so only what certainly did
// not arrive is tried again; a lost answer is `unknown` and never sent twice.

import { sql } from 'drizzle-orm'
import type { Model } from '../catalog/model.ts'
import { generations } from '../db/schema.ts'
import type { Result } from '../gateway/client.ts'
import { GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import { leaseMs } from '../leases.ts'
import { revealTask } from './callbacks.ts'
import { ask } from './circuit.ts'
import type { Generation } from './generation.ts'
import { MediaUnavailable, putMedia } from './media.ts'
import { backoffMs, submitDeadlineMs, unknownGraceMs } from './pace.ts'
import { handBack, write } from './queue.ts'
import { refusalOfUs, stopSales } from './sales.ts'
import { fail, succeed } from './settle.ts'
import type { StepDeps } from './step-deps.ts'

export async function submit(deps: StepDeps, held: Generation): Promise<void> {
  const model = deps.catalog.find(held.modelId)
  if (!model) return fail(deps, held, 'refused', 'the model is no longer in the catalog')
  const body = await bodyOf(deps, held, model).catch((error: unknown) => {
    if (error instanceof MediaUnavailable) return error
    throw error
  })
  if (body instanceof MediaUnavailable) {
    deps.log.warn({ generation: held.id, error: body }, 'a file can not be passed on')
    return body.isTemporary ? tryLater(deps, held) : fail(deps, held, 'no-file')
  }
  if (await deps.circuit.openedSince(claimedAt(held))) return void (await handBack(deps, held, {}))
  const submitting = await write(deps, held, { state: 'submitting', submittedAt: deps.clock.now() })
  if (!submitting) return
  try {
    const created = await ask(deps, held.id, () => deps.gateway.create(deps.catalog.path(model), body))
    if (created.kind === 'task') return await start(deps, submitting, created.id)
    await succeed(deps, submitting, created.results.map(urlOf), model.delivers(held.request))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await afterError(deps, submitting, error)
  }
}

/** It was read as it was claimed. */
const claimedAt = ({ leaseUntil }: Generation): Date => new Date((leaseUntil?.getTime() ?? 0) - leaseMs)

/** The stored request with its callback address, and with the files themselves in place of their stand-ins. */
async function bodyOf(deps: StepDeps, held: Generation, { callbackPath }: Model) {
  const callback =
    callbackPath && deps.callbackUrl ? { [callbackPath]: deps.callbackUrl(held.callbackToken) } : {}
  return putMedia(deps.media, { ...held.request, ...callback })
}

/** A result that came with the answer is kept where a link would be. */
const urlOf = (result: Result): string =>
  'url' in result ? result.url : `data:${result.mime};base64,${result.bytes.toString('base64')}`

async function start(deps: StepDeps, submitting: Generation, taskId: string): Promise<void> {
  const nextCheckAt = new Date(deps.clock.now().getTime() + deps.pollIntervalMs)
  const running = await handBack(deps, submitting, { state: 'running', taskId, nextCheckAt, attempts: 0 })
  deps.log.info({ generation: submitting.id, task: taskId }, 'submitted')
  if (running) deps.shows.show(running.id)
  // Our lease was lost while we were waiting, but the task is this one's all the same.
  else await revealTask(deps, submitting.callbackToken, taskId)
}

async function afterError(deps: StepDeps, submitting: Generation, error: GatewayError): Promise<void> {
  if (error instanceof GatewayRefused) return fail(deps, submitting, 'refused', error.said)
  if (error instanceof GatewayUnavailable) return tryLater(deps, submitting, error.retryAfterMs)
  const cause = refusalOfUs(error)
  if (cause) {
    deps.log.error({ cause, error }, 'sales stopped')
    await stopSales(deps.db, cause, deps.clock.now())
    return fail(deps, submitting, 'paused')
  }
  deps.log.error({ generation: submitting.id, error }, 'submit has an unknown outcome')
  await becomeUnknown(deps, submitting)
}

/** Nothing has been ordered yet. */
async function tryLater(deps: StepDeps, submitting: Generation, askedMs?: number): Promise<void> {
  const now = deps.clock.now().getTime()
  if (now - submitting.createdAt.getTime() > submitDeadlineMs) return fail(deps, submitting, 'unavailable')
  const pause = backoffMs(submitting.attempts, deps.pollIntervalMs, deps.random(), askedMs)
  await handBack(deps, submitting, {
    state: 'held',
    attempts: submitting.attempts + 1,
    nextCheckAt: new Date(now + pause),
  })
}

/**
 * Also for a generation found `submitting` by a later worker: its process died between the POST and the commit. If a callback
 * has revealed the task meanwhile, nothing is lost.
 */
export async function becomeUnknown(deps: StepDeps, held: Generation): Promise<void> {
  const now = deps.clock.now()
  const lostAt = new Date((held.submittedAt ?? now).getTime() + unknownGraceMs)
  const ended = await handBack(deps, held, {
    state: sql`case when ${generations.taskId} is null then 'unknown' else 'running' end`,
    nextCheckAt: sql`case when ${generations.taskId} is null then ${lostAt}::timestamptz else ${now}::timestamptz end`,
  })
  if (ended) deps.shows.show(ended.id)
}
