// What was made and can not be had: the link to it is dead, or leads to something else. Its price is given back, once, when
// everything else has been sent, and the chat is told. Only then is the delivery over: whoever comes after a crash finds the
// same, refunds nothing more and says it.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import type { DeliveryOutcome, Generation } from '../generations/generation.ts'
import { maxDeliveryAttempts } from '../generations/pace.ts'
import { post } from '../ledger/ledger.ts'
import { refundOrder } from '../ledger/moves.ts'
import { formatRoubles, type Kopecks } from '../money.ts'
import type { Say } from '../texts.ts'
import { againKeyboard, type MessengerDeps } from './parts.ts'
import { sendInto } from './place.ts'
import { ArtifactUnavailable } from './send-artifact.ts'
import { titleOf } from './status.ts'

/** At the usual pace they are spread over three minutes. */
const certainAfter = 6

export const isLastAttempt = ({ attempts }: Generation): boolean => attempts + 1 >= maxDeliveryAttempts

/** Each attempt asks for all that is missing, so that the attempts at the whole are those at each. */
export const isLost = (error: unknown, generation: Generation): boolean =>
  error instanceof ArtifactUnavailable &&
  (isLastAttempt(generation) || (error.isCertain && generation.attempts + 1 >= certainAfter))

export interface Counts {
  readonly lost: number
  /** Of so many files. */
  readonly files: number
  /** So many of them were paid for: two tracks may have one price. */
  readonly paid: number
}

export async function makeGood(
  deps: MessengerDeps,
  generation: Generation,
  counts: Counts,
  say: Say,
): Promise<DeliveryOutcome> {
  const amount = await refund(deps, generation, counts, say)
  if (amount === undefined) return { ok: true }
  deps.log.error({ generation: generation.id, ...counts, refunded: `${amount}` }, 'results can not be had')
  const html = say.html(amount > 0n ? 'result-lost' : 'result-lost-free', {
    title: titleOf(say, generation, deps.catalog.find(generation.modelId)),
    lost: counts.lost,
    amount: formatRoubles(amount),
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

/** The price of what arrived is what is kept, rounded down as it was when it was captured. */
export function shareOf(captured: Kopecks, { lost, files, paid }: Counts): Kopecks {
  const all = Math.min(files, paid)
  return captured - (captured * BigInt(Math.min(files - lost, all))) / BigInt(all)
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
