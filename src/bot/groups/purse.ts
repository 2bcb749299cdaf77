// What a card says about money: in a private chat the balance, in a group whose card it is and who pays. A group never shows a balance.

import type { Draft } from '../../generations/drafts.ts'
import { readBalance } from '../../ledger/ledger.ts'
import type { Kopecks } from '../../money.ts'
import type { Say } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'

export type Purse =
  | { readonly at: 'private'; readonly available: Kopecks }
  | { readonly at: 'group'; readonly owner: string }

export async function purseOf({ db }: Pick<BotDeps, 'db'>, draft: Draft): Promise<Purse> {
  const isInGroup = draft.chatId < 0
  if (!isInGroup) return { at: 'private', available: (await readBalance(db, draft.userId)).available }
  const user = await findUser(db, draft.userId)
  return { at: 'group', owner: user?.name ?? '' }
}

/** Lines below the price. */
export function purseText(say: Say, purse: Purse, amount: Kopecks): readonly string[] {
  if (purse.at === 'group') return [say.html('card-owner', { name: purse.owner })]
  const { available } = purse
  const balance = say.html('card-balance', { available: say.roubles(available) })
  if (available >= amount) return [balance]
  return [balance, say.html('card-missing', { missing: say.roubles(amount - available) })]
}
