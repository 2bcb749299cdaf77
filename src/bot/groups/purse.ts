// What a card says about money: in a private chat the balance, in a group whose card it is and who pays. A group never shows a balance.

import { InlineKeyboard } from 'grammy'
import type { Database } from '../../db/client.ts'
import { changeDraft, type Draft } from '../../generations/drafts.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { walletAt } from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'

export type Purse =
  | { readonly at: 'private'; readonly available: Kopecks }
  | {
      readonly at: 'group'
      readonly owner: string
      readonly payer: 'own' | 'group'
      /** Whether the group has a wallet, so that the payer can be chosen. */
      readonly hasWallet: boolean
    }

const isGroup = (chatId: number): boolean => chatId < 0

/** Whether a new card in this chat is paid by the wallet of its group. */
export const groupPays = async (db: Database, chatId: number): Promise<boolean> =>
  isGroup(chatId) && (await walletAt(db, chatId)) !== undefined

export async function purseOf({ db }: Pick<BotDeps, 'db'>, draft: Draft): Promise<Purse> {
  const { chatId, userId, byGroup } = draft
  if (!isGroup(chatId)) return { at: 'private', available: (await readBalance(db, userId)).available }
  const [user, hasWallet] = await Promise.all([findUser(db, userId), groupPays(db, chatId)])
  return { at: 'group', owner: user?.name ?? '', payer: byGroup ? 'group' : 'own', hasWallet }
}

/** A new revision: a price that was shown with another payer cannot be ordered. */
export const setPayer = ({ db, clock }: BotDeps, draft: Draft, payer: 'own' | 'group') =>
  changeDraft(db, draft, ({ answers }) => ({ answers, byGroup: payer === 'group' }), clock.now())

/** Lines below the price. */
export function purseText(say: Say, purse: Purse, amount: Kopecks): readonly string[] {
  if (purse.at === 'group') {
    return [say.html(purse.payer === 'group' ? 'card-owner-wallet' : 'card-owner', { name: purse.owner })]
  }
  const { available } = purse
  const balance = say.html('card-balance', { available: say.roubles(available) })
  if (available >= amount) return [balance]
  return [balance, say.html('card-missing', { missing: say.roubles(amount - available) })]
}

/** The other payer. A wallet that was switched off meanwhile can only be left. */
export function payerButtons({ say, draftId, purse }: { say: Say; draftId: string; purse: Purse }) {
  if (purse.at !== 'group') return []
  const { text } = InlineKeyboard
  if (purse.payer === 'group')
    return [text(say.plain('button-pay-own'), taps.payBy.data({ draftId, payer: 'own' }))]
  return purse.hasWallet
    ? [text(say.plain('button-pay-group'), taps.payBy.data({ draftId, payer: 'group' }))]
    : []
}
