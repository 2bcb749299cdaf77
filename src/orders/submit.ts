// Held -> submitting -> running. A submit is not idempotent (the gateway has no key for it), so it is retried only if it
// certainly did not arrive; after a lost answer the generation is `unknown` and is never submitted again. An answer that arrived
// is kept in memory until it is written.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mediumOf } from '../catalog/field.ts'
import {
  callbackStandIn,
  isLinked,
  mapStrings,
  readStandIn,
  type StandIn,
  usualPassing,
} from '../catalog/media.ts'
import type { Model } from '../catalog/model.ts'
import { fillUploadAddress, uploadPath } from '../catalog/video-common.ts'
import { throughOutages } from '../db/outage.ts'
import { released } from '../db/queue.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { addressOf, type Created } from '../gateway/client.ts'
import { asGatewayError, GatewayError, GatewayRefused, GatewayUnavailable } from '../gateway/errors.ts'
import { fieldsOf } from '../gateway/files.ts'
import { inOrders, pictureForModel } from '../media/convert.ts'
import { backoffMs } from '../runtime/clock.ts'
import { mimeIn } from '../runtime/file-format.ts'
import type { Log } from '../runtime/log.ts'
import type { FileRead, Files } from '../telegram/files.ts'
import {
  after,
  changeGeneration,
  endedProcesses,
  type Generation,
  type MediaSource,
  readGeneration,
  stateIs,
  statesBefore,
  write,
  writeAndRelease,
} from './generation.ts'
import { awaitTask } from './poll.ts'
import { fail, failRefused, type StepDeps, succeed } from './settle.ts'
import { withSpeech } from './spoken.ts'
import { shortestGraceMs, submitDeadlineMs, unknownGraceMs } from './times.ts'

export async function submit(deps: StepDeps, held: Generation): Promise<void> {
  const model = deps.catalog.find(held.modelId)
  if (!model) return fail(deps, held, 'refused', 'the model is no longer in the catalog')
  // Its earlier holders may have ended because of the files of its request, which are read next.
  if (endedProcesses(held) > 1 && hasWaitedTooLong(deps, held)) return fail(deps, held, 'unavailable')
  const request = await withSpeech(deps, held.request)
  if (request === 'failed' || (request === 'missing' && hasWaitedTooLong(deps, held)))
    return fail(deps, held, 'no-voice')
  if (typeof request === 'string')
    return void (await postpone(deps, held, held.attempts, deps.pollIntervalMs))
  if (deps.breaker.waitMs()) return waitForGateway(deps, held)
  const body = await bodyOf(deps, { ...held, request }, model)
  if (body instanceof MediaUnavailable) return waitForFile(deps, held, body)
  const limitMs = await deps.times.limitMs(model)
  // A submit that was prepared before the breaker opened is not sent.
  if (deps.breaker.waitMs()) return waitForGateway(deps, held)
  const submittedAt = deps.clock.now()
  const deadlineAt = new Date(submittedAt.getTime() + limitMs)
  const state = after(held.state, 'submit')
  const submitting = await write(deps, held, { state, submittedAt, deadlineAt })
  if (submitting) await send(deps, submitting, model, body)
}

async function send(
  deps: StepDeps,
  submitting: Generation,
  model: Model,
  body: Record<string, unknown>,
): Promise<void> {
  const { id: generation } = submitting
  const create = () => deps.gateway.create(deps.catalog.path(model), body)
  const answer = await deps.breaker.ask(generation, create).catch(asGatewayError)
  const refusal = answer instanceof GatewayError ? deps.refusals.of(answer, model.id, body) : undefined
  // Logged before anything is written: if this process dies now, the log still has the task id.
  if (!(answer instanceof GatewayError))
    deps.log.info({ generation, ...(answer.kind === 'task' ? { task: answer.id } : {}) }, 'submitted')
  else if (refusal)
    deps.log.error({ generation, cause: refusal.cause, error: answer }, 'the gateway refuses us')
  const write = () =>
    refusal ? failRefused(deps, submitting, refusal, 'refuse') : record(deps, submitting, model, answer)
  await throughOutages(deps, write)
}

/** The HTTP status for a request that is too large: the files in it. */
const tooLarge = 413

async function record(
  deps: StepDeps,
  submitting: Generation,
  model: Model,
  answer: Created | GatewayError,
): Promise<void> {
  if (answer instanceof GatewayRefused) {
    const reason = answer.status === tooLarge ? 'too-large' : 'refused'
    return fail(deps, submitting, reason, answer.said, 'refuse')
  }
  if (answer instanceof GatewayUnavailable) return tryLater(deps, submitting, answer.retryAfterMs)
  if (answer instanceof GatewayError) {
    deps.log.error({ generation: submitting.id, error: answer }, 'submit has an unknown outcome')
    return becomeUnknown(deps, submitting)
  }
  if (answer.kind === 'task') return start(deps, submitting, answer)
  // A file that came within the answer is stored as a data URI in place of a link.
  const arrived = { ...answer, urls: answer.files.map(addressOf) }
  await succeed(deps, submitting, arrived, model.delivers(submitting.request), 'complete-at-once')
}

/** The stored request with its callback address, and with the files in place of their placeholders. */
async function bodyOf(
  { media, callbackUrl, catalog, log }: StepDeps,
  held: Generation,
  model: Model,
): Promise<Record<string, unknown> | MediaUnavailable> {
  const { request, callbackToken } = held
  const { callbackPath } = model
  const callback = callbackPath && callbackUrl ? { [callbackPath]: callbackUrl(callbackToken) } : {}
  try {
    const upload = await uploadAddress(log, held, catalog.uploadCommand(model))
    const body = await putMedia(media, { ...request, ...callback, ...upload }, catalog.passing)
    return catalog.named(model, body)
  } catch (error) {
    if (!(error instanceof MediaUnavailable)) throw error
    log.warn({ generation: held.id, error }, 'a file cannot be passed on')
    return error
  }
}

/**
 * Writes the task of an answered submit. Only this process knows the task for certain, so the write does not depend on the lease and
 * overrides a task that a callback has revealed.
 */
async function start(
  deps: StepDeps,
  { id, state }: Generation,
  { id: taskId, seed }: Extract<Created, { kind: 'task' }>,
): Promise<void> {
  const now = deps.clock.now()
  const isLive = stateIs(...statesBefore('start'))
  const change = {
    state: after(state, 'start'),
    taskId,
    seed,
    attempts: 0,
    // A callback that came before the answer may be the only one.
    nextCheckAt: sql`case when ${stateIs('submitting')} and ${generations.callbackAt} is null
      then ${timestamp(now, deps.pollIntervalMs)} else ${timestamp(now)} end`,
    ...released,
  } as const
  const isNew = and(eq(generations.id, id), isLive, sql`${generations.taskId} is distinct from ${taskId}`)
  const running = await changeGeneration(deps.db, change, isNew)
  if (running) return deps.statusUpdates.queue(running)
  // Either an earlier write succeeded although it seemed to fail, or the order has ended: its result is then delivered free.
  if ((await readGeneration(deps.db, id))?.taskId === taskId) return
  deps.log.error({ generation: id, task: taskId }, 'the order ended before its task id was written')
  await awaitTask(deps, id, taskId)
}

/** After so many tries a file that may be gone counts as gone. */
const maxTriesWhenUnclear = 5

async function waitForFile(deps: StepDeps, held: Generation, { retry }: MediaUnavailable): Promise<void> {
  if (retry === 'later') return tryLater(deps, held)
  if (retry === 'never' || held.attempts >= maxTriesWhenUnclear) return fail(deps, held, 'no-file')
  await postpone(deps, held, held.attempts + 1, backoffMs(held.attempts, deps.pollIntervalMs, deps.random()))
}

const hasWaitedTooLong = ({ clock }: StepDeps, { createdAt }: Generation): boolean =>
  clock.now().getTime() - createdAt.getTime() > submitDeadlineMs

/** Puts the submit off until the gateway may be reached again; this does not count as an attempt. */
const waitForGateway = (deps: StepDeps, held: Generation) =>
  unlessTooLate(deps, held, held.attempts, deps.breaker.waitMs())

/** Schedules another submit after one that certainly did not arrive. */
const tryLater = (deps: StepDeps, order: Generation, askedMs?: number) =>
  unlessTooLate(
    deps,
    order,
    order.attempts + 1,
    backoffMs(order.attempts, deps.pollIntervalMs, deps.random(), askedMs),
  )

async function unlessTooLate(deps: StepDeps, order: Generation, attempts: number, pauseMs: number) {
  if (hasWaitedTooLong(deps, order)) return fail(deps, order, 'unavailable')
  const waiting = await postpone(deps, order, attempts, pauseMs)
  // A single failure usually passes before the user could read about it.
  const outageSince = deps.breaker.openSince() ?? (order.attempts > 0 ? order.createdAt : undefined)
  if (waiting) deps.statusUpdates.queue(waiting, { outageSince })
}

/** @returns undefined when another process has taken over */
function postpone(deps: StepDeps, order: Generation, attempts: number, pauseMs: number) {
  const nextCheckAt = new Date(deps.clock.now().getTime() + pauseMs)
  return writeAndRelease(deps, order, { state: after(order.state, 'postpone'), attempts, nextCheckAt })
}

/**
 * Marks a generation whose submit got no answer as unknown, also when another worker finds it `submitting`: the submitting process died
 * between the POST and the commit, or cannot write the answer that it keeps. That process gets some time to write the answer, however
 * long the database was unavailable.
 */
export async function becomeUnknown(deps: StepDeps, held: Generation): Promise<void> {
  const now = deps.clock.now()
  const graceEndsAt = (held.submittedAt ?? now).getTime() + unknownGraceMs
  const givenUpAt = new Date(Math.max(graceEndsAt, now.getTime() + shortestGraceMs))
  // A callback may have named the task before the answer was lost.
  const nextCheckAt = sql`case when callback_at is null then ${timestamp(givenUpAt)} else ${timestamp(now)} end`
  const unknown = await writeAndRelease(deps, held, { state: after(held.state, 'lose-answer'), nextCheckAt })
  if (unknown) deps.statusUpdates.queue(unknown)
}

const uploadTimeoutMs = 10_000
const address = z.url({ protocol: /^https?$/ })

/**
 * The part of the request body with the address to which the gateway uploads the finished video. The address belongs to the operator and
 * differs for each order: a template, or the output of a command, because a presigned address is made for one upload. Empty without one.
 * A command that fails costs the upload, not the order.
 * @param command the operator's program with its arguments; the first line of its output is the address
 */
export async function uploadAddress(
  log: Log,
  { id, request }: Pick<Generation, 'id' | 'request'>,
  command: readonly string[] | undefined,
): Promise<Record<string, string>> {
  if (!command) {
    const template = request[uploadPath]
    return typeof template === 'string' ? { [uploadPath]: fillUploadAddress(template, id) } : {}
  }
  const [program = '', ...args] = command.map((part) => fillUploadAddress(part, id))
  const options = { timeout: uploadTimeoutMs, killSignal: 'SIGKILL' } as const
  try {
    // The message of Node contains the arguments and what the command printed, which may be secrets: a presigned address is one.
    const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
      const { code, signal } = fieldsOf(error)
      throw new Error(`the command ended with ${signal ?? code ?? 'an error'}`)
    })
    const [line = ''] = stdout.split('\n')
    const parsed = address.safeParse(line.trim())
    if (!parsed.success) throw new Error('the first line of the output is not an http(s) address')
    return { [uploadPath]: parsed.data }
  } catch (error) {
    log.error({ generation: id, error }, 'the upload command gave no address; the video is not uploaded')
    return {}
  }
}

// Just before a request is submitted, the placeholders of the user's files are replaced by the files themselves, or by links from which
// the gateway can fetch them from our server for a while.

export class MediaUnavailable extends Error {
  override name = 'MediaUnavailable'
  readonly retry: 'later' | 'few-times' | 'never'
  constructor(reason: string, retry: MediaUnavailable['retry'] = 'never') {
    super(`a file cannot be passed on: ${reason}`)
    this.retry = retry
  }
}

/** `few-times`: a later try may succeed, but the file may be gone as well. */
const retryAfter = {
  gone: 'never',
  'too-large': 'never',
  unavailable: 'later',
  'gone-or-unavailable': 'few-times',
  // It could be read when it was sent, so perhaps only the machine is too busy.
  unreadable: 'few-times',
} as const satisfies Record<string, MediaUnavailable['retry']>

type PassedFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly mime: string }
  | Extract<FileRead, { ok: false }>
  | { readonly ok: false; readonly reason: 'unreadable' }

/** Reads a file for a model. Its type is that of its bytes, and the declared one where they leave it open. */
export async function readForModel(
  files: Files,
  { file, mime: said }: Pick<StandIn, 'file' | 'mime'>,
  maxBytes: number,
): Promise<PassedFile> {
  const read = await files.read(file, maxBytes)
  if (!read.ok) return read
  const mime = mimeIn(read.bytes, said) ?? said
  if (mediumOf(mime) !== 'image') return { ...read, mime }
  const picture = await pictureForModel(read.bytes, inOrders)
  return picture ? { ok: true, ...picture } : { ok: false, reason: 'unreadable' }
}

export async function putMedia(
  source: MediaSource,
  request: Record<string, unknown>,
  passing = usualPassing,
): Promise<Record<string, unknown>> {
  /** The size of the files inside the request so far; Telegram does not tell the size of every file in advance. */
  let inlined = 0
  return mapStrings(request, async (text) => {
    // This happens only if processes have different values of PUBLIC_URL: an address that leads nowhere is never sent.
    if (text === callbackStandIn) throw new MediaUnavailable('no public address')
    const placeholder = readStandIn(text)
    if (!placeholder) return text
    if (isLinked(placeholder, passing)) {
      if (!source.link) throw new MediaUnavailable('no public address')
      return source.link(placeholder)
    }
    const read = await readForModel(source, placeholder, passing.maxInlineBytes)
    if (!read.ok) throw new MediaUnavailable(read.reason, retryAfter[read.reason])
    inlined += read.bytes.length
    if (inlined > passing.maxInlineTotal) throw new MediaUnavailable('the files are too large together')
    return `data:${read.mime};base64,${read.bytes.toString('base64')}`
  })
}
