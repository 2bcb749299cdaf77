// The delivery step of an ended generation: its results are sent, or its failure is explained; then the outcome is written, and the
// delivery ends or is repeated later. Its status message is edited or deleted last (messages.ts).

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../../db/client.ts'
import { throughOutages } from '../../db/outage.ts'
import { artifacts, generations, type Missing } from '../../db/schema.ts'
import { builtIn } from '../../ledger/built-in-notes.ts'
import { post } from '../../ledger/ledger.ts'
import { refundOrder } from '../../ledger/moves.ts'
import type { Kopecks } from '../../money.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import {
  afterAttempt,
  type DeliveryOutcome,
  htmlWithoutPreview,
  isNotModified,
  movedTo,
  outcomeOf,
  usualTries,
} from '../../telegram/send.ts'
import type { Say } from '../../texts.ts'
import {
  type Artifact,
  type Generation,
  type GenerationChange,
  hasResults,
  readGeneration,
  stateIs,
  writeAndRelease,
} from '../generation.ts'
import { firstLateLook } from '../poll.ts'
import { chargeFor } from '../settle.ts'
import {
  artifactsOf,
  attemptOf,
  careOf,
  type DeliveryDeps,
  type DeliveryJob,
  holdsLease,
  isLastAttempt,
  jobFor,
  mayHoldResult,
  paidFor,
  record,
  sinceOf,
  subjectOf,
} from './job.ts'
import { againKeyboard, byPayer, failureText, statusText, titleOf, updateStatus } from './messages.ts'
import {
  ArtifactUnavailable,
  type Failed,
  firstAccepted,
  sendResults,
  sendText,
  showUploadAction,
} from './send.ts'

/**
 * @param generation claimed under a lease
 * @returns the generation whose status message is to be edited now; undefined if it shows the result, or another attempt edits it
 */
export async function deliver(deps: DeliveryDeps, generation: Generation): Promise<Generation | undefined> {
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
  deps: DeliveryDeps,
  generation: Generation,
  status: DeliveryJob['status'],
  isRepeated = false,
): Promise<DeliveryOutcome> {
  const care = careOf(generation)
  const { id, claims } = generation
  if (care !== 'usual')
    deps.log.error({ generation: id, claims, care }, 'processes ended during the delivery')
  if (care === 'never') return { ok: false, retry: false }
  try {
    const subject = await subjectOf(deps, generation)
    const job = { ...jobFor(subject, await artifactsOf(deps, id)), status, care }
    status.isResult = mayHoldResult(job)
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
    deps.log.warn({ generation: id, error, outcome }, 'delivery failed')
    return outcome
  }
}

const slowMs = 1500
/** Telegram shows an action for five seconds. */
const actionMs = 4500

/** Shows that a result is being sent, in the status message and as an upload in the chat, while this work takes long. */
async function showingProgress<T>(deps: DeliveryDeps, job: DeliveryJob, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const { signal } = ended
  const show = async () => {
    await deps.clock.wait(slowMs, signal)
    if (!signal.aborted && !job.status.isResult)
      await updateStatus(deps, job.generation, { locale: job.say.locale })
    for (; !signal.aborted; await deps.clock.wait(actionMs, signal)) await showUploadAction(deps, job)
  }
  const shown = show()
  try {
    return await work()
  } finally {
    ended.abort('ended')
    await shown
  }
}

/** Explains a failure, or a cancelled order, in place of the status message; else in a message below it. */
async function explainFailure(deps: DeliveryDeps, job: DeliveryJob): Promise<DeliveryOutcome> {
  const { reason, statusMessageId } = job.generation
  const isWithdrawn = reason === 'withdrawn'
  const html = isWithdrawn ? statusText(job, {}, deps.clock.now()) : failureText(job)
  const replaced = (isWithdrawn ? statusMessageId : job.statusToReplace) ?? undefined
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  const edit = (messageId: number) =>
    deps.api.editMessageText(job.target.chatId, messageId, html, options).catch((error: unknown) => {
      if (!isNotModified(error)) throw error
    })
  const send = async () => {
    if (await holdsLease(deps, job.generation)) await sendText(deps, job, html)
  }
  await firstAccepted<unknown>(replaced === undefined ? [send] : [() => edit(replaced), send])
  return { ok: true }
}

/**
 * Releases the lease: the delivery has ended, or is due again later.
 * @returns the generation if its delivery has ended
 */
export async function writeOutcome(
  deps: Pick<DeliveryDeps, 'db' | 'clock' | 'log' | 'random' | 'pollIntervalMs' | 'metrics'>,
  generation: Generation,
  outcome: DeliveryOutcome,
): Promise<Generation | undefined> {
  const { attempts, nextAt } = afterAttempt(deps, attemptOf(generation), outcome)
  const now = deps.clock.now()
  const delivery = outcome.ok ? 'delivered' : 'undeliverable'
  const change: GenerationChange = nextAt
    ? { attempts, nextCheckAt: nextAt }
    : { attempts, nextCheckAt: firstLateLook(now), delivery, deliveredAt: outcome.ok ? now : null }
  const written = await throughOutages(deps, () => writeAndRelease(deps, generation, change))
  const since = sinceOf(generation)
  if (written) deps.metrics.orders.delivered(nextAt ? 'later' : delivery, now.getTime() - since.getTime())
  if (nextAt) return undefined
  // Nothing was written when the answer to the first write was lost, or when another process has ended the delivery.
  const row = written ?? (await readGeneration(deps.db, generation.id))
  if (row?.lease !== null || row.delivery === 'pending') return undefined
  deps.log.info({ generation: row.id, delivery: row.delivery, attempts }, 'delivery ended')
  return row
}

// Results that cannot be downloaded: their links are dead or lead to no file. Their share of the price is refunded, once, after
// everything else has been sent, and the chat is told. The delivery ends only after that. The refund and the files that it is for are
// written in one statement: an attempt after a crash does not download or refund these files again, and tells the chat.

interface Lost {
  readonly artifact: Artifact
  readonly reason: Missing
}

/**
 * Ends an attempt in which some files were not sent: those that are missing are refunded, unless others are tried again first. The operators
 * are told of a file that is given up, and of one whose server does not answer when others would be given up.
 * @throws an error after which the delivery is tried again
 */
async function endWithoutFailed(
  deps: DeliveryDeps,
  job: DeliveryJob,
  failed: readonly Failed[],
): Promise<DeliveryOutcome> {
  const { generation } = job
  const all = failed.map((one) => judged(one, generation))
  for (const { artifact } of all.filter(({ isMiss }) => isMiss))
    await record(deps, artifact, { misses: sql`${artifacts.misses} + 1` })
  const missing = all.flatMap(({ reason, ...one }) => (reason ? { ...one, reason } : []))
  const lost = missing.filter(({ isLost }) => isLost)
  const temporary = all.find(({ isLost }) => !isLost)
  const isRefunded = lost.length > 0 && (!temporary || isLastAttempt(generation))
  const outcome = isRefunded ? await refundMissing(deps, job, lost) : undefined
  const isLate = generation.attempts + 1 >= usualTries
  const reported = missing.find(({ isLost }) => isLost || isLate)
  if (reported) {
    const host = URL.parse(reported.artifact.url)?.host ?? ''
    await deps.refusals.lost(generation.modelId, `${host}: ${reported.reason}`)
  }
  if (temporary || !outcome) throw temporary?.error
  return outcome
}

/** Why a file cannot be downloaded, if that is why it was not sent, and whether it is given up. */
function judged({ artifact, error }: Failed, generation: Generation) {
  const reason = error instanceof ArtifactUnavailable ? error.reason : undefined
  // The next download is likely to fail, too. Failures of Telegram and of the network do not count.
  const isMiss = reason !== undefined && reason !== 'unavailable'
  const isOver = isLastAttempt(generation) || (isMiss && artifact.misses + 1 >= usualTries)
  return {
    artifact,
    error,
    reason,
    isMiss,
    isLost: reason !== undefined && (artifact.lost !== null || isOver),
  }
}

/** Refunds the results among the missing files, and tells the chat which files are missing and why. */
async function refundMissing(
  deps: DeliveryDeps,
  job: DeliveryJob,
  lost: readonly Lost[],
): Promise<DeliveryOutcome> {
  const { generation, say } = job
  // The artifacts are read again, since those of the job are as they were before the attempt.
  const files = await artifactsOf(deps, generation.id)
  const counts = countsOf(job, files, lost.length)
  const amount = await refund(deps, generation, counts, lost)
  if (amount === undefined) return { ok: true }
  deps.log.error({ generation: generation.id, ...counts, refunded: `${amount}` }, 'results cannot be had')
  deps.metrics.orders.lost(generation.modelId, lost.filter(({ artifact }) => artifact.lost === null).length)
  const key = amount === 0n ? 'result-lost-free' : byPayer(generation, 'result-lost')
  const html = say.html(key, {
    title: titleOf(job),
    lost: counts.lost,
    files: counts.files,
    sent: files.filter(({ messageId }) => messageId !== null).length,
    reasons: { html: reasonsOf(say, lost, counts.files).join('\n') },
    amount: say.roubles(amount),
    late: generation.arrivedLateAt ? 'yes' : 'no',
  })
  await sendText(deps, job, html)
  return counts.lost < counts.files ? { ok: true } : { ok: false, retry: false }
}

/** One line per reason, with the numbers of its files if there are several. */
function reasonsOf(say: Say, lost: readonly Lost[], files: number): string[] {
  return [...Map.groupBy(lost, ({ reason }) => reason)].map(([reason, those]) => {
    const why = say.plain(`lost-${reason}`)
    const numbers = those.map(({ artifact }) => artifact.position + 1).join(', ')
    return files > 1 ? say.html('lost-line-numbered', { numbers, why }) : say.html('lost-line', { why })
  })
}

/** `files`: all of them. `paid`: the results that were paid for. `others`: files of another kind than was ordered, subtitles or a cover. */
type Counts = Readonly<Record<'lost' | 'files' | 'paid' | 'others', number>>

function countsOf(job: DeliveryJob, files: readonly Artifact[], lost: number): Counts {
  const kind = job.ordered?.kind
  const wanted = [kind === 'voice' ? 'audio' : kind, 'other', null]
  const others = kind ? files.filter((one) => !wanted.includes(one.kind)).length : 0
  return { lost, files: files.length, paid: paidFor(job), others }
}

/**
 * The amount to refund. The results that arrived keep their share of the price, rounded down as at the capture. Of more files
 * than were paid for, some are extra files: of those that arrived, files of another kind count as extra first.
 */
export function shareOf(captured: Kopecks, { lost, files, paid, others }: Counts): Kopecks {
  const results = Math.min(files, paid)
  const arrived = files - lost - Math.min(others, files - results)
  return captured - chargeFor(captured, arrived, results)
}

/**
 * Records the loss of the files, with the refund of what was paid for them.
 * @returns what has been refunded, now or before; undefined when the lease was lost
 */
async function refund(
  { db, clock }: DeliveryDeps,
  generation: Generation,
  counts: Counts,
  lost: readonly Lost[],
): Promise<Kopecks | undefined> {
  const { id, lease, captured, arrivedLateAt } = generation
  // Late results are free.
  const amount = arrivedLateAt ? 0n : shareOf(captured ?? 0n, counts)
  const ours = sql`id = ${id} and lease is not distinct from ${lease}`
  const guard = sql`
    update ${generations} set refunded = ${amount}::bigint
    where ${ours} and ${stateIs('succeeded')} and refunded is null returning id`
  const move = refundOrder({ ...generation, amount, refunded: null }, builtIn('refund-lost'))
  const values = lost.map(({ artifact, reason }) => sql`(${artifact.position}::integer, ${reason}::text)`)
  const markLost = (condition: SQL) => sql`
    update ${artifacts} a set lost = l.reason from (values ${sql.join(values, sql`, `)}) as l (position, reason)
    where a.generation_id = ${id} and a.position = l.position and exists (${condition})`
  if (amount > 0n) await post(db, move, clock.now(), guard, [markLost(sql`select from guard`)])
  else await db.execute(markLost(sql`select from ${generations} where ${ours}`))
  const [now] = await rows(
    db,
    sql`select coalesce(refunded, 0)::text as refunded from ${generations} where ${ours}`,
    z.object({ refunded: z.coerce.bigint() }),
  )
  return now?.refunded
}
