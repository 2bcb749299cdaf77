// The delivery step of an ended generation: its results are sent, or its failure is explained; then the outcome is written, and
// the delivery ends or is repeated later.

import { abandonedTimes } from '../db/abandoned-rows.ts'
import { throughOutages } from '../db/outage.ts'
import { type Generation, hasResults, readGeneration } from '../generations/generation.ts'
import type { Known } from '../generations/place.ts'
import { afterAttempt } from '../telegram/delivery-attempts.ts'
import { type DeliveryOutcome, movedTo, outcomeOf } from '../telegram/errors.ts'
import { moveChat } from '../telegram/moved-chat.ts'
import type { Locale } from '../texts.ts'
import { firstLateLook } from '../tracker/late.ts'
import { writeAndRelease } from '../tracker/queue.ts'
import { attemptOf, careOf, sinceOf } from './attempt.ts'
import { failureText } from './failure-text.ts'
import { type DeliveryDeps, type DeliveryJob, jobFor, subjectOf } from './job.ts'
import { replaceStatusByText } from './replace-status.ts'
import { sendText } from './result-message.ts'
import { type Results, sendResults } from './send-results.ts'
import { artifactsOf, holdsLease, recordOf, type SentArtifact } from './sent-artifacts.ts'
import { updateStatus } from './status.ts'
import { statusText } from './status-text.ts'

export interface DeliveryStepDeps extends DeliveryDeps {
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly pollIntervalMs: number
}

/**
 * @param generation claimed under a lease
 * @param known what was read together with it
 * @returns the generation if its delivery has ended and its status message could not be edited for now
 */
export async function deliver(
  deps: DeliveryStepDeps,
  generation: Generation,
  known: Known = {},
): Promise<Generation | undefined> {
  const { outcome, unwritten, replacesStatus, locale = known.locale } = await attempt(deps, generation, known)
  const ended = await writeOutcome(deps, generation, outcome, unwritten)
  if (!ended) await showRetry(deps, generation, outcome, locale)
  // Also after an explanation has replaced the status: another process may have edited the message before the outcome was written.
  const isShown = !ended || replacesStatus || (await updateStatus(deps, ended, { locale }))
  return isShown ? undefined : ended
}

/** Says in the status message that the result will be fetched or sent again. A chat that has asked for a pause gets no edit. */
async function showRetry(
  deps: DeliveryStepDeps,
  generation: Generation,
  outcome: DeliveryOutcome,
  locale: Locale | undefined,
): Promise<void> {
  const isRetried = !outcome.ok && outcome.retry && outcome.afterMs === undefined
  if (!isRetried || !hasResults(generation)) return
  await updateStatus(deps, { ...generation, attempts: generation.attempts + 1 }, { locale })
}

interface Attempted extends Results {
  /** The language of the user, unless the attempt failed. */
  readonly locale?: Locale
}

/** Attempts a delivery. If the group has become a supergroup, the attempt is repeated there, once. */
async function attempt(
  deps: DeliveryStepDeps,
  generation: Generation,
  { locale, artifacts }: Known,
  isRepeated = false,
): Promise<Attempted> {
  if (isEndingProcesses(deps, generation)) return { outcome: { ok: false, retry: false } }
  try {
    const subject = await subjectOf(deps, generation, locale)
    const job = jobFor(subject, artifacts ?? (await artifactsOf(deps, generation.id)))
    const results = await (hasResults(generation) ? sendResults(deps, job) : explainFailure(deps, job))
    return { ...results, locale: job.say.locale }
  } catch (error) {
    const chatId = isRepeated ? undefined : movedTo(error)
    if (chatId !== undefined) {
      await moveChat(deps.db, generation.chatId, chatId)
      return attempt(deps, { ...generation, chatId, statusMessageId: null }, { locale }, true)
    }
    const outcome = outcomeOf(error)
    deps.log.warn({ generation: generation.id, error, outcome }, 'delivery failed')
    return { outcome }
  }
}

/** Whether processes have ended during the delivery again and again, so that it is given up. */
function isEndingProcesses({ log }: DeliveryStepDeps, generation: Generation): boolean {
  const care = careOf(generation)
  if (care === 'usual') return false
  const facts = { generation: generation.id, ended: abandonedTimes(generation), care }
  log.error(facts, 'processes ended during the delivery')
  return care === 'never'
}

/** Says in the status message that the order was cancelled, or in a message below it if the status message can no longer be edited. */
async function showWithdrawn(deps: DeliveryStepDeps, job: DeliveryJob): Promise<Results> {
  const html = statusText(job, {}, deps.clock.now())
  const statusToReplace = job.generation.statusMessageId ?? undefined
  const isShown = await replaceStatusByText(deps, { ...job, statusToReplace }, html)
  if (!isShown) await sendBelow(deps, job, html)
  return { outcome: { ok: true } }
}

async function explainFailure(deps: DeliveryStepDeps, job: DeliveryJob): Promise<Results> {
  if (job.generation.reason === 'withdrawn') return showWithdrawn(deps, job)
  const text = failureText(job)
  if (!(await replaceStatusByText(deps, job, text))) await sendBelow(deps, job, text)
  return { outcome: { ok: true } }
}

async function sendBelow(deps: DeliveryStepDeps, job: DeliveryJob, html: string): Promise<void> {
  if (await holdsLease(deps, job.generation)) await sendText(deps, job, html)
}

type OutcomeDeps = Pick<DeliveryStepDeps, 'db' | 'clock' | 'log' | 'random' | 'pollIntervalMs' | 'metrics'>

/**
 * Releases the lease: the delivery has ended, or is due again later.
 * @param unwritten the last artifact of a delivery that ends; it is written in the same statement
 * @returns the generation if its delivery has ended; undefined also when the lease was lost
 */
export async function writeOutcome(
  deps: OutcomeDeps,
  generation: Generation,
  outcome: DeliveryOutcome,
  unwritten?: SentArtifact,
): Promise<Generation | undefined> {
  const { attempts, nextAt: nextCheckAt } = afterAttempt(deps, attemptOf(generation), outcome)
  const ending = { delivery: outcome.ok ? 'delivered' : 'undeliverable', attempts, unwritten } as const
  if (!nextCheckAt) return end(deps, generation, ending)
  const released = await throughOutages(deps, () =>
    writeAndRelease(deps, generation, { attempts, nextCheckAt }),
  )
  if (released) deps.metrics.orders.delivered('later', sinceMs(deps, generation))
  return undefined
}

interface Ending {
  readonly delivery: 'delivered' | 'undeliverable'
  readonly attempts: number
  readonly unwritten: SentArtifact | undefined
}

async function end(
  deps: OutcomeDeps,
  generation: Generation,
  { delivery, attempts, unwritten }: Ending,
): Promise<Generation | undefined> {
  const now = deps.clock.now()
  const deliveredAt = delivery === 'delivered' ? now : null
  const change = { delivery, deliveredAt, attempts, nextCheckAt: firstLateLook(now) }
  const also = unwritten ? [recordOf(unwritten)] : []
  const ended = await throughOutages(
    deps,
    async () =>
      (await writeAndRelease(deps, generation, change, also)) ??
      (await endedBefore(deps, generation, { delivery, deliveredAt })),
  )
  if (!ended) return undefined
  deps.log.info({ generation: generation.id, delivery, attempts }, 'delivery ended')
  deps.metrics.orders.delivered(delivery, sinceMs(deps, generation))
  return ended
}

/** The generation if an earlier run of the write has ended its delivery, and the answer of the database was lost. */
async function endedBefore(
  { db }: OutcomeDeps,
  { id }: Generation,
  { delivery, deliveredAt }: Pick<Generation, 'delivery' | 'deliveredAt'>,
): Promise<Generation | undefined> {
  const found = await readGeneration(db, id)
  const isEnded = found?.lease === null && found.delivery === delivery
  return isEnded && found.deliveredAt?.getTime() === deliveredAt?.getTime() ? found : undefined
}

const sinceMs = ({ clock }: Pick<OutcomeDeps, 'clock'>, generation: Generation): number =>
  clock.now().getTime() - sinceOf(generation).getTime()
