// The delivery step of an ended generation: its results are sent, or its failure is explained; then the outcome is written, and the
// delivery ends or is repeated later. Its status message is edited last (status.ts).

import { throughOutages } from '../../db/outage.ts'
import {
  afterAttempt,
  type DeliveryOutcome,
  isAboutFile,
  isNotModified,
  movedTo,
  outcomeOf,
} from '../../telegram/errors.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import { htmlWithoutPreview } from '../../telegram/send-into.ts'
import {
  type Generation,
  type GenerationChange,
  hasResults,
  readGeneration,
  writeAndRelease,
} from '../generation.ts'
import { firstLateLook } from '../poll.ts'
import { attemptOf, careOf, type DeliveryDeps, type DeliveryJob, jobFor, sinceOf, subjectOf } from './job.ts'
import { againKeyboard, failureText, statusText } from './messages.ts'
import { endWithoutFailed } from './refund-missing.ts'
import { sendResults, sendText, showUploadAction } from './send.ts'
import { artifactsOf, holdsLease } from './sent-artifacts.ts'
import { updateStatus } from './status.ts'

export interface DeliveryStepDeps extends DeliveryDeps {
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly pollIntervalMs: number
}

/**
 * @param generation claimed under a lease
 * @returns the generation whose status message is to be edited now; undefined if it shows the result, or another attempt edits it
 */
export async function deliver(
  deps: DeliveryStepDeps,
  generation: Generation,
): Promise<Generation | undefined> {
  const status = { isResult: false }
  const outcome = await attempt(deps, generation, status)
  const ended = await writeOutcome(deps, generation, outcome)
  if (ended) return status.isResult ? undefined : ended
  // The result will be fetched or sent again. A chat that has asked for a pause gets no edit.
  const isRetried = !outcome.ok && outcome.retry && outcome.afterMs === undefined
  return isRetried && hasResults(generation)
    ? { ...generation, attempts: generation.attempts + 1 }
    : undefined
}

/** Attempts a delivery. If the group has become a supergroup, the attempt is repeated there, once. */
async function attempt(
  deps: DeliveryStepDeps,
  generation: Generation,
  status: DeliveryJob['status'],
  isRepeated = false,
): Promise<DeliveryOutcome> {
  const care = careOf(generation)
  if (care !== 'usual')
    deps.log.error(
      { generation: generation.id, claims: generation.claims, care },
      'processes ended during the delivery',
    )
  if (care === 'never') return { ok: false, retry: false }
  try {
    const subject = await subjectOf(deps, generation)
    const job = { ...jobFor(subject, await artifactsOf(deps, generation.id)), status, care }
    if (!hasResults(generation)) return await explainFailure(deps, job)
    return await showingProgress(deps, job, async () => {
      const failed = await sendResults(deps, job)
      return failed.length === 0 ? { ok: true } : endWithoutFailed(deps, job, failed)
    })
  } catch (error) {
    const chatId = isRepeated ? undefined : movedTo(error)
    if (chatId !== undefined) {
      await moveChat(deps.db, generation.chatId, chatId)
      return attempt(deps, { ...generation, chatId, statusMessageId: null }, status, true)
    }
    const outcome = outcomeOf(error)
    deps.log.warn({ generation: generation.id, error, outcome }, 'delivery failed')
    return outcome
  }
}

const slowMs = 1500
/** Telegram shows an action for five seconds. */
const actionMs = 4500

/**
 * Shows that a result is being sent, in the status message and as an upload in the chat, while this work takes long. Work on files that
 * are quickly available ends before either is shown.
 */
async function showingProgress<T>(deps: DeliveryDeps, job: DeliveryJob, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const shown = showWhenSlow(deps, job, ended.signal)
  try {
    return await work()
  } finally {
    ended.abort('ended')
    await shown
  }
}

async function showWhenSlow(deps: DeliveryDeps, job: DeliveryJob, ended: AbortSignal): Promise<void> {
  await deps.clock.wait(slowMs, ended)
  if (ended.aborted) return
  if (!job.status.isResult) await updateStatus(deps, job.generation, { locale: job.say.locale })
  while (!ended.aborted) {
    await showUploadAction(deps, job)
    await deps.clock.wait(actionMs, ended)
  }
}

/** Explains a failure, or a cancelled order, in place of the status message; else in a message below it. */
async function explainFailure(deps: DeliveryStepDeps, job: DeliveryJob): Promise<DeliveryOutcome> {
  const { reason, statusMessageId } = job.generation
  const isWithdrawn = reason === 'withdrawn'
  const html = isWithdrawn ? statusText(job, {}, deps.clock.now()) : failureText(job)
  const replaced = (isWithdrawn ? statusMessageId : job.statusToReplace) ?? undefined
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  try {
    if (replaced !== undefined) {
      await deps.api.editMessageText(job.target.chatId, replaced, html, options)
      return { ok: true }
    }
  } catch (error) {
    if (isNotModified(error)) return { ok: true }
    if (!isAboutFile(error)) throw error
  }
  if (await holdsLease(deps, job.generation)) await sendText(deps, job, html)
  return { ok: true }
}

type OutcomeDeps = Pick<DeliveryStepDeps, 'db' | 'clock' | 'log' | 'random' | 'pollIntervalMs' | 'metrics'>

/**
 * Releases the lease: the delivery has ended, or is due again later.
 * @returns the generation if its delivery has ended
 */
export async function writeOutcome(
  deps: OutcomeDeps,
  generation: Generation,
  outcome: DeliveryOutcome,
): Promise<Generation | undefined> {
  const { attempts, nextAt } = afterAttempt(deps, attemptOf(generation), outcome)
  const now = deps.clock.now()
  const delivery = nextAt ? 'later' : outcome.ok ? 'delivered' : 'undeliverable'
  const deliveredAt = delivery === 'delivered' ? now : null
  const change: GenerationChange =
    delivery === 'later'
      ? { attempts, nextCheckAt: nextAt ?? null }
      : { attempts, nextCheckAt: firstLateLook(now), delivery, deliveredAt }
  const written = await throughOutages(deps, () => writeAndRelease(deps, generation, change))
  if (written) deps.metrics.orders.delivered(delivery, now.getTime() - sinceOf(generation).getTime())
  if (delivery === 'later') return undefined
  // Nothing was written when the answer to the first write was lost, or when another process has ended the delivery.
  const row = written ?? (await readGeneration(deps.db, generation.id))
  if (row?.lease !== null || row.delivery === 'pending') return undefined
  deps.log.info({ generation: row.id, delivery: row.delivery, attempts }, 'delivery ended')
  return row
}
