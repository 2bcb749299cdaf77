// The price of a card, its payer, and the amount to top up for it.

import type { Page } from '../../form/page.ts'
import type { Draft } from '../../generations/drafts.ts'
import { type Quoted, quoteDraft } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import type { BotDeps } from '../context.ts'
import { type CardFunds, cardFundsOf, isOverGroup, setPayer } from '../groups/card-funds.ts'
import { amountToOffer } from './top-up-offer.ts'

interface Priced {
  readonly quoted: Quoted
  readonly funds: CardFunds
  readonly topUp: Kopecks | undefined
}

export async function priced(deps: BotDeps, draft: Draft, page: Page): Promise<Priced> {
  const { quoted, funds } = await paid(deps, draft, page)
  return { quoted, funds, topUp: quoted.ok ? topUpFor(deps, funds, quoted.quote.amount) : undefined }
}

/** When the wallet of the group cannot pay the price of an order, the user becomes the payer, and the card says why. */
async function paid(deps: BotDeps, draft: Draft, { at }: Page): Promise<Omit<Priced, 'topUp'>> {
  const quoted = await quoteDraft(deps, draft)
  const funds = await cardFundsOf(deps, draft, quoted.ok ? quoted.quote.amount : undefined)
  const changed = at === 'main' && isOverGroup(funds) && (await setPayer(deps, draft, 'own'))
  if (!changed || funds.at !== 'group') return { quoted, funds }
  return { quoted: await quoteDraft(deps, changed), funds: { ...funds, payer: 'own' } }
}

/** The amount to top up for this price; undefined when the balance is enough, in a group, and while nothing can be topped up. */
function topUpFor({ topUps }: BotDeps, funds: CardFunds, price: Kopecks): Kopecks | undefined {
  if (funds.at === 'group' || topUps.providers.length === 0 || funds.available >= price) return undefined
  return amountToOffer(topUps, price - funds.available)
}
