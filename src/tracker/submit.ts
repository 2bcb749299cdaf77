// Held -> submitting -> running. Submitting is not idempotent (the gateway has no key for it), so only what certainly did
// not arrive is tried again; a lost answer is `unknown` and never sent twice. An answer that came is kept until it is written.

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Model } from '../catalog/model.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Created, Result } from '../gateway/client.ts'
import { asGatewayError, GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import type { Generation } from '../generations/generation.ts'
import { MediaUnavailable, putMedia } from '../generations/media.ts'
import { leaseMs } from '../runtime/leases.ts'
import { refusalOfUs, stopSales } from '../sales/sales.ts'
import { ask } from './circuit.ts'
import { backoffMs, shortestGraceMs, submitDeadlineMs, unknownGraceMs } from './pace.ts'
import { handBack, write } from './queue.ts'
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
  const answer = await ask(deps, held.id, () => deps.gateway.create(deps.catalog.path(model), body)).catch(
    asGatewayError,
  )
  const task = answer instanceof GatewayError || answer.kind === 'done' ? {} : { task: answer.id }
  const facts = { generation: held.id, ...task }
  report(deps, facts, answer)
  await deps.keeper.keep(facts, () => record(deps, { submitting, model }, answer))
}

type Answer = Created | GatewayError

/** Once, and before anything is written: if this process dies now, the log still has the task id. */
function report({ log }: StepDeps, facts: { readonly generation: string }, answer: Answer): void {
  const cause = refusalOfUs(answer)
  const isNotDone = answer instanceof GatewayRefused || answer instanceof GatewayUnavailable
  if (!(answer instanceof GatewayError)) log.info(facts, 'submitted')
  else if (cause) log.error({ ...facts, cause, error: answer }, 'sales stopped')
  else if (!isNotDone) log.error({ ...facts, error: answer }, 'submit has an unknown outcome')
}

interface Submitted {
  readonly submitting: Generation
  readonly model: Model
}

async function record(deps: StepDeps, { submitting, model }: Submitted, answer: Answer): Promise<void> {
  if (answer instanceof GatewayError) return recordError(deps, submitting, answer)
  if (answer.kind === 'task') return start(deps, submitting, answer.id)
  const urls = answer.results.map(urlOf)
  await succeed(deps, submitting, urls, model.delivers(submitting.request), 'answer')
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

/** Nobody knows better, so this holds against another worker that has the row, and against a task that a callback revealed. */
async function start(deps: StepDeps, { id }: Generation, taskId: string): Promise<void> {
  const now = deps.clock.now()
  const later = new Date(now.getTime() + deps.pollIntervalMs)
  const isLive = inArray(generations.state, ['submitting', 'unknown', 'running'])
  const [running] = await deps.db
    .update(generations)
    .set({
      state: 'running',
      taskId,
      attempts: 0,
      nextCheckAt: sql`case ${generations.state} when 'submitting' then ${timestamp(later)} else ${timestamp(now)} end`,
      lease: null,
      leaseUntil: null,
    })
    .where(and(eq(generations.id, id), isLive, sql`${generations.taskId} is distinct from ${taskId}`))
    .returning({ id: generations.id })
  if (running) deps.shows.show(id)
  else await checkStarted(deps, id, taskId)
}

/** Either an earlier try was done without our hearing of it, or the order has ended and its money was given back. */
async function checkStarted({ db, log }: StepDeps, id: string, taskId: string): Promise<void> {
  const isTask = and(eq(generations.id, id), eq(generations.taskId, taskId))
  const found = await db.select({ id: generations.id }).from(generations).where(isTask)
  if (found.length === 0)
    log.error({ generation: id, task: taskId }, 'the order ended before its task id was written')
}

async function recordError(deps: StepDeps, submitting: Generation, error: GatewayError): Promise<void> {
  if (error instanceof GatewayRefused) return fail(deps, submitting, 'refused', error.said, 'answer')
  if (error instanceof GatewayUnavailable) return tryLater(deps, submitting, error.retryAfterMs)
  const cause = refusalOfUs(error)
  if (!cause) return becomeUnknown(deps, submitting)
  await stopSales(deps.db, cause, deps.clock.now())
  await fail(deps, submitting, 'paused', undefined, 'answer')
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
 * Also for a generation found `submitting` by a later worker: the one before died between the POST and the commit, or cannot
 * reach the database with the answer that it keeps. That one has a while to write it, however long the database was away.
 */
export async function becomeUnknown(deps: StepDeps, held: Generation): Promise<void> {
  const now = deps.clock.now()
  const graceEndsAt = (held.submittedAt ?? now).getTime() + unknownGraceMs
  const givenUpAt = new Date(Math.max(graceEndsAt, now.getTime() + shortestGraceMs))
  const ended = await handBack(deps, held, { state: 'unknown', nextCheckAt: givenUpAt })
  if (ended) deps.shows.show(ended.id)
}
