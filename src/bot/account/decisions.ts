// Texts that tell users about decisions of operators: a correction of the balance, the refund of an order, a declined report.

import type { Catalog } from '../../catalog/catalog.ts'
import type { Database } from '../../db/client.ts'
import type { Kopecks } from '../../money.ts'
import { correctionReason, declinedOrder, refundedOrder } from '../../operator/decisions.ts'
import { titleOf } from '../../orders/deliver/messages.ts'
import { isByWallet } from '../../orders/generation.ts'
import type { Notice } from '../../payments/notices.ts'
import type { MessageTarget } from '../../telegram/send-into.ts'
import type { Say, Texts } from '../../texts.ts'
import { balanceText, reasonText } from '../balance-text.ts'

interface Deps {
  readonly db: Database
  readonly catalog: Pick<Catalog, 'find'>
  readonly texts: Texts
}

/** @param available the balance now @returns HTML */
export async function correctedText(
  { db, texts }: Deps,
  say: Say,
  notice: Notice,
  available: Kopecks,
): Promise<string> {
  const { amount } = notice
  const isGrant = amount > 0n
  return say.html(isGrant ? 'told-grant' : 'told-debit', {
    amount: say.roubles(isGrant ? amount : -amount),
    balance: { html: balanceText(say, available) },
    reason: reasonText({ texts }, say, await correctionReason(db, notice)),
  })
}

interface Told {
  /** HTML. */
  readonly text: string
  /** The chat and topic of the order. */
  readonly target: MessageTarget
}

/** @returns undefined when the order is no longer stored */
export async function refundTold(
  { db, catalog, texts }: Deps,
  say: Say,
  notice: Notice,
): Promise<Told | undefined> {
  const refunded = await refundedOrder(db, notice)
  if (!refunded) return undefined
  const { generation, reason } = refunded
  const { chatId, topicId } = generation
  const text = say.html(isByWallet(generation) ? 'told-refund-wallet' : 'told-refund', {
    amount: say.roubles(notice.amount),
    title: titleOf({ say, generation, model: catalog.find(generation.modelId) }),
    reason: reasonText({ texts }, say, reason),
  })
  return { text, target: { chatId, topicId } }
}

/** @param contact of the operator, who can be asked why @returns undefined when the order is no longer stored */
export async function declineTold(
  { db }: Pick<Deps, 'db'>,
  say: Say,
  notice: Notice,
  contact: string | undefined,
): Promise<Told | undefined> {
  const generation = await declinedOrder(db, notice)
  if (!generation) return undefined
  const text = contact ? say.html('told-declined-contact', { contact }) : say.html('told-declined')
  return { text, target: generation }
}
