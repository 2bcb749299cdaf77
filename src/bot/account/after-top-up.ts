// Runs after the notice about a top-up was sent: deletes the invoice or the payment link, and offers again what the balance was too short
// for: the card, or the wallet of a group.

import type { Api } from 'grammy'
import { takeAwaiting } from '../../generations/drafts.ts'
import type { Notice } from '../../payments/notices.ts'
import type { Say } from '../../texts.ts'
import { sendCard } from '../cards/cards.ts'
import type { BotDeps } from '../context.ts'
import { offerToFund } from '../groups/wallet-top-up.ts'
import { removePayMessages } from './pay-link.ts'

/** Never throws: after an error the queue would send the notice a second time. */
export async function afterTopUp(deps: BotDeps, api: Api, notice: Notice, say: Say): Promise<void> {
  const { userId, kind } = notice
  try {
    if (kind === 'credited' || kind === 'not-paid') await removePayMessages(deps, api, userId)
    const draft = kind === 'credited' ? await takeAwaiting(deps.db, userId) : undefined
    if (draft) await sendCard(deps, api, draft, say)
    else if (kind === 'credited') await offerToFund(deps, api, notice, say)
  } catch (error) {
    deps.log.warn({ notice: notice.key, error }, 'follow-up of a top-up failed')
  }
}
