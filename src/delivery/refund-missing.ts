// Results that cannot be downloaded: their links are dead or lead to no file. Their share of the price is refunded, once, after
// everything else has been sent, and the chat is told. The delivery ends only after that. The refund and the files that it is for are
// written in one statement: an attempt after a crash does not download or refund these files again, and tells the chat.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations, type Missing } from '../db/schema.ts'
import { type Artifact, type Generation, isByWallet, stateIs } from '../generations/generation.ts'
import { builtIn } from '../ledger/built-in-notes.ts'
import { post } from '../ledger/ledger.ts'
import { refundOrder } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { usualTries } from '../telegram/delivery-attempts.ts'
import type { DeliveryOutcome } from '../telegram/errors.ts'
import type { Say } from '../texts.ts'
import { chargeFor } from '../tracker/charge.ts'
import { isLastAttempt } from './attempt.ts'
import { type DeliveryDeps, type DeliveryJob, paidFor } from './job.ts'
import { sendText } from './result-message.ts'
import { ArtifactUnavailable } from './send-artifact.ts'
import { artifactsOf, recordLost } from './sent-artifacts.ts'
import { titleOf } from './status-text.ts'

export interface Failed {
  readonly artifact: Artifact
  readonly error: unknown
}

/** Whether a file that is missed once more is given up. */
export const isLastTry = ({ misses }: Artifact, generation: Generation): boolean =>
  isLastAttempt(generation) || misses + 1 >= usualTries

interface MissingFile {
  readonly position: number
  readonly reason: Missing
}

/** A failed download that is probably permanent. Failures of Telegram and of the network do not count. */
export const isMiss = ({ error }: Failed): boolean =>
  error instanceof ArtifactUnavailable && error.reason !== 'unavailable'

/** Why the file is given up; undefined while it is tried again. */
function missingReason(failed: Failed, generation: Generation): Missing | undefined {
  const { artifact, error } = failed
  if (!(error instanceof ArtifactUnavailable)) return undefined
  const isFinal =
    artifact.lost !== null || isLastAttempt(generation) || (isMiss(failed) && isLastTry(artifact, generation))
  return isFinal ? error.reason : undefined
}

export const isMissing = (failed: Failed, generation: Generation): boolean =>
  missingReason(failed, generation) !== undefined

/**
 * Tells the operators of files that cannot be downloaded, once they are given up, or when those that are not are given up: a server that
 * does not answer is tried for longer.
 */
export async function reportLost(
  { refusals }: DeliveryDeps,
  { generation }: DeliveryJob,
  failed: readonly Failed[],
): Promise<void> {
  const lost = failed.find(
    (one) =>
      one.error instanceof ArtifactUnavailable &&
      (isMissing(one, generation) || generation.attempts + 1 >= usualTries),
  )
  if (lost?.error instanceof ArtifactUnavailable)
    await refusals.lost(generation.modelId, `${hostOf(lost.artifact)}: ${lost.error.reason}`)
}

const hostOf = ({ url }: Artifact): string => (URL.canParse(url) ? new URL(url).host : '')

const missingAmong = (failed: readonly Failed[], generation: Generation): MissingFile[] =>
  failed.flatMap((one) => {
    const reason = missingReason(one, generation)
    return reason ? { position: one.artifact.position, reason } : []
  })

interface Counts {
  readonly lost: number
  /** The number of all files. */
  readonly files: number
  /** The results that were paid for: two tracks may have one price. */
  readonly paid: number
  /** Files sent of another kind than was ordered: the subtitles of a voice, the cover of a song. */
  readonly others: number
}

/** Refunds the results among the missing files, and tells the chat which files are missing and why. */
export async function refundMissing(
  deps: DeliveryDeps,
  job: DeliveryJob,
  failed: readonly Failed[],
): Promise<DeliveryOutcome> {
  const { generation, say } = job
  const missing = missingAmong(failed, generation)
  if (missing.length === 0) return { ok: true }
  // The artifacts are read again, since those of the job are as they were before the attempt.
  const artifacts = await artifactsOf(deps, generation.id)
  const counts = countsOf(job, artifacts, missing.length)
  const amount = await refund(deps, job, counts, missing)
  if (amount === undefined) return { ok: true }
  deps.log.error({ generation: generation.id, ...counts, refunded: `${amount}` }, 'results cannot be had')
  const isNew = ({ position }: MissingFile) => job.artifacts[position]?.lost === null
  deps.metrics.orders.lost(generation.modelId, missing.filter(isNew).length)
  const html = say.html(
    amount === 0n ? 'result-lost-free' : isByWallet(generation) ? 'result-lost-wallet' : 'result-lost',
    {
      title: titleOf(job),
      lost: counts.lost,
      files: counts.files,
      sent: artifacts.filter(({ messageId }) => messageId !== null).length,
      reasons: { html: reasonsOf(say, missing, counts.files).join('\n') },
      amount: say.roubles(amount),
      late: generation.arrivedLateAt ? 'yes' : 'no',
    },
  )
  await sendText(deps, job, html)
  return counts.lost < counts.files ? { ok: true } : { ok: false, retry: false }
}

/** One line per reason, with the numbers of its files if there are several. */
function reasonsOf(say: Say, missing: readonly MissingFile[], files: number): string[] {
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(([reason, those]) => {
    const why = say.plain(`lost-${reason}`)
    const numbers = those.map(({ position }) => position + 1).join(', ')
    return files > 1 ? say.html('lost-line-numbered', { numbers, why }) : say.html('lost-line', { why })
  })
}

function countsOf(job: DeliveryJob, artifacts: readonly Artifact[], lost: number): Counts {
  const kind = job.ordered?.kind
  const wanted = [kind === 'voice' ? 'audio' : kind, 'other', null]
  const others = kind ? artifacts.filter((one) => !wanted.includes(one.kind)).length : 0
  return { lost, files: artifacts.length, paid: paidFor(job), others }
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
  { generation }: DeliveryJob,
  counts: Counts,
  missing: readonly MissingFile[],
): Promise<Kopecks | undefined> {
  const { id, userId, walletId, lease, captured, arrivedLateAt } = generation
  // Late results are free.
  const amount = arrivedLateAt ? 0n : shareOf(captured ?? 0n, counts)
  const ours = sql`id = ${id} and lease is not distinct from ${lease}`
  const guard = sql`
    update ${generations} set refunded = ${amount}::bigint
    where ${ours} and ${stateIs('succeeded')} and refunded is null returning id`
  const move = refundOrder({ id, userId, walletId, amount }, builtIn('refund-lost'))
  if (amount > 0n)
    await post(db, [move], clock.now(), guard, [recordLost(id, missing, sql`select from guard`)])
  else await db.execute(recordLost(id, missing, sql`select from ${generations} where ${ours}`))
  const [now] = await rows(
    db,
    sql`select coalesce(refunded, 0)::text as refunded from ${generations} where ${ours}`,
    z.object({ refunded: z.coerce.bigint() }),
  )
  return now?.refunded
}
