// The delivery step of an ended generation: its results are sent, or its failure is explained; then the outcome is written, and
// the delivery ends or is repeated later. The status message is edited last.

import { throughOutages } from '../../db/outage.ts'
import { afterAttempt } from '../../telegram/delivery-attempts.ts'
import { type DeliveryOutcome, movedTo, outcomeOf } from '../../telegram/errors.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import { type Generation, type GenerationChange, hasResults, readGeneration } from '../generation.ts'
import { endedProcesses, writeAndRelease } from '../queue.ts'
import { firstLateLook } from '../unknown.ts'
import { attemptOf, careOf, sinceOf } from './attempt.ts'
import { type DeliveryDeps, type DeliveryJob, jobFor, subjectOf } from './job.ts'
import { failureText, statusText } from './messages.ts'
import { sendResults } from './send-results.ts'
import { artifactsOf, holdsLease } from './sent-artifacts.ts'
import { replaceStatusByText, sendText, showingProgress, updateStatus } from './status.ts'

export interface DeliveryStepDeps extends DeliveryDeps {
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly pollIntervalMs: number
}

/**
 * @param generation claimed under a lease
 * @returns the generation if its delivery has ended and its status message could not be edited for now
 */
export async function deliver(
  deps: DeliveryStepDeps,
  generation: Generation,
): Promise<Generation | undefined> {
  const outcome = await attempt(deps, generation)
  const ended = await writeOutcome(deps, generation, outcome)
  if (ended) return (await updateStatus(deps, ended)) ? undefined : ended
  // The result will be fetched or sent again. A chat that has asked for a pause gets no edit.
  const isRetried = !outcome.ok && outcome.retry && outcome.afterMs === undefined
  if (isRetried && hasResults(generation))
    await updateStatus(deps, { ...generation, attempts: generation.attempts + 1 })
  return undefined
}

/** Attempts a delivery. If the group has become a supergroup, the attempt is repeated there, once. */
async function attempt(
  deps: DeliveryStepDeps,
  generation: Generation,
  isRepeated = false,
): Promise<DeliveryOutcome> {
  if (isEndingProcesses(deps, generation)) return { ok: false, retry: false }
  try {
    const subject = await subjectOf(deps, generation)
    const job = jobFor(subject, await artifactsOf(deps, generation.id))
    if (!hasResults(generation)) return await explainFailure(deps, job)
    return await showingProgress(deps, job, () => sendResults(deps, job))
  } catch (error) {
    const chatId = isRepeated ? undefined : movedTo(error)
    if (chatId !== undefined) {
      await moveChat(deps.db, generation.chatId, chatId)
      return attempt(deps, { ...generation, chatId, statusMessageId: null }, true)
    }
    const outcome = outcomeOf(error)
    deps.log.warn({ generation: generation.id, error, outcome }, 'delivery failed')
    return outcome
  }
}

/** Whether processes have ended during the delivery again and again, so that it is given up. */
function isEndingProcesses({ log }: DeliveryStepDeps, generation: Generation): boolean {
  const care = careOf(generation)
  if (care === 'usual') return false
  const facts = { generation: generation.id, ended: endedProcesses(generation), care }
  log.error(facts, 'processes ended during the delivery')
  return care === 'never'
}

/** Explains a failure, or a cancelled order, in place of the status message; else in a message below it. */
async function explainFailure(deps: DeliveryStepDeps, job: DeliveryJob): Promise<DeliveryOutcome> {
  const { reason, statusMessageId } = job.generation
  const isWithdrawn = reason === 'withdrawn'
  const html = isWithdrawn ? statusText(job, {}, deps.clock.now()) : failureText(job)
  const replaced = (isWithdrawn ? statusMessageId : job.statusToReplace) ?? undefined
  const isShown = replaced !== undefined && (await replaceStatusByText(deps, job, replaced, html))
  if (!isShown && (await holdsLease(deps, job.generation))) await sendText(deps, job, html)
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
