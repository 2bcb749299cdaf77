// Files that cannot be had: there is none at the link, or none that we can get. The price of the results among them is given
// back, once, when everything else has been sent, and the chat is told. Only then is the delivery over: an attempt after a
// crash finds the same, refunds nothing more and tells the chat.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import type { Artifact, DeliveryOutcome, Generation } from '../generations/generation.ts'
import { post } from '../ledger/ledger.ts'
import { refundOrder } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { sendInto } from '../telegram/send-into.ts'
import type { Say } from '../texts.ts'
import { maxDeliveryAttempts } from '../tracker/pace.ts'
import { artifactsOf } from '../tracker/settle.ts'
import type { Missing } from './download.ts'
import { againKeyboard, kindOf, type MessengerDeps, paidOf } from './result-message.ts'
import { ArtifactUnavailable } from './send-artifact.ts'
import { titleOf } from './status.ts'

/** At the usual pace they are spread over three minutes. */
const certainAfter = 6

export const isLastAttempt = ({ attempts }: Generation): boolean => attempts + 1 >= maxDeliveryAttempts

export interface Failed {
  readonly artifact: Artifact
  readonly error: unknown
}

/** Each attempt asks for all that is missing, so that the attempts at the whole are those at each. */
export const isLost = (error: unknown, generation: Generation): error is ArtifactUnavailable =>
  error instanceof ArtifactUnavailable &&
  (isLastAttempt(generation) || (error.reason !== 'unavailable' && generation.attempts + 1 >= certainAfter))

export interface Lost {
  readonly position: number
  readonly reason: Missing
}

export const lostOf = (failed: readonly Failed[], generation: Generation): Lost[] =>
  failed.flatMap(({ artifact: { position }, error }) =>
    isLost(error, generation) ? [{ position, reason: error.reason }] : [],
  )

export interface Counts {
  readonly lost: number
  /** Of so many files. */
  readonly files: number
  /** So many of them were paid for: two tracks may have one price. */
  readonly paid: number
  /** So many came that are of another kind than was ordered: subtitles of a voice, a cover of a song. */
  readonly others: number
}

/** Refunds what is missing of the results and tells the chat what is missing and why. */
export async function makeGood(
  deps: MessengerDeps,
  generation: Generation,
  lost: readonly Lost[],
  say: Say,
): Promise<DeliveryOutcome> {
  if (lost.length === 0) return { ok: true }
  const artifacts = await artifactsOf(deps, generation.id)
  const counts = countsOf(deps, generation, artifacts, lost.length)
  const amount = await refund(deps, generation, counts, say)
  if (amount === undefined) return { ok: true }
  deps.log.error({ generation: generation.id, ...counts, refunded: `${amount}` }, 'results cannot be had')
  const html = say.html(amount > 0n ? 'result-lost' : 'result-lost-free', {
    title: titleOf(say, generation, deps.catalog.find(generation.modelId)),
    lost: counts.lost,
    files: counts.files,
    sent: artifacts.filter(({ messageId }) => messageId !== null).length,
    reasons: { html: reasonsOf(say, lost, counts.files).join('\n') },
    amount: say.roubles(amount),
  })
  await sendInto(generation, (into) =>
    deps.api.sendMessage(generation.chatId, html, {
      ...into,
      parse_mode: 'HTML',
      reply_markup: againKeyboard(say, generation),
    }),
  )
  return counts.lost < counts.files ? { ok: true } : { ok: false, retry: false }
}

/** A line for each reason, with the numbers of its files where there are several. */
function reasonsOf(say: Say, lost: readonly Lost[], files: number): string[] {
  return [...Map.groupBy(lost, ({ reason }) => reason)].map(([reason, those]) => {
    const why = say.plain(`lost-${reason}`)
    const numbers = those.map(({ position }) => position + 1).join(', ')
    return files > 1 ? say.html('lost-line-numbered', { numbers, why }) : say.html('lost-line', { why })
  })
}

function countsOf(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
  lost: number,
): Counts {
  const kind = kindOf(deps, generation)
  const wanted = [kind === 'voice' ? 'audio' : kind, 'other', null]
  const others = kind ? artifacts.filter((one) => !wanted.includes(one.kind)).length : 0
  const files = artifacts.length
  return { lost, files, paid: paidOf(deps, generation, files), others }
}

/**
 * The results that arrived keep their share of the price, rounded down as it was when it was captured. Of more files than
 * were paid for, the rest are extra files; those that came and are of another kind count as extra files first.
 */
export function shareOf(captured: Kopecks, { lost, files, paid, others }: Counts): Kopecks {
  const results = Math.min(files, paid)
  const arrived = files - lost - Math.min(others, files - results)
  return captured - (captured * BigInt(Math.min(arrived, results))) / BigInt(results)
}

/** @returns what has been given back, now or before; undefined when the lease was lost */
async function refund(
  { db, clock }: MessengerDeps,
  { id, userId, lease, captured }: Generation,
  counts: Counts,
  say: Say,
): Promise<Kopecks | undefined> {
  const amount = shareOf(captured ?? 0n, counts)
  const ours = sql`id = ${id} and state = 'succeeded' and lease is not distinct from ${lease}`
  const guard = sql`
    update ${generations} set refunded = ${amount}::bigint where ${ours} and refunded is null returning id`
  const move = refundOrder({ id, userId, captured: amount }, say.plain('refund-lost'))
  if (amount > 0n) await post(db, [move], clock.now(), guard)
  const [now] = await rows(
    db,
    sql`select coalesce(refunded, 0)::text as refunded from ${generations} where ${ours}`,
    z.object({ refunded: z.coerce.bigint() }),
  )
  return now?.refunded
}
