// The price of a card, its payer, and the amount to top up for it.

import type { Page } from '../../form/page.ts'
import type { Draft } from '../../generations/drafts.ts'
import { type Quoted, quoteDraft } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import type { BotDeps } from '../context.ts'
import { isOverGroup, type Purse, purseOf, setPayer } from '../groups/purse.ts'
import { amountToOffer } from './top-up-offer.ts'

interface Priced {
  readonly quoted: Quoted
  readonly purse: Purse
  readonly topUp: Kopecks | undefined
}

export async function priced(deps: BotDeps, draft: Draft, page: Page): Promise<Priced> {
  const { quoted, purse } = await paid(deps, draft, page)
  return { quoted, purse, topUp: quoted.ok ? topUpFor(deps, purse, quoted.quote.amount) : undefined }
}

/** When the wallet of the group cannot pay the price of an order, the user becomes the payer, and the card says why. */
async function paid(deps: BotDeps, draft: Draft, { at }: Page): Promise<Omit<Priced, 'topUp'>> {
  const quoted = await quoteDraft(deps, draft)
  const purse = await purseOf(deps, draft, quoted.ok ? quoted.quote.amount : undefined)
  const changed = at === 'main' && isOverGroup(purse) && (await setPayer(deps, draft, 'own'))
  if (!changed || purse.at !== 'group') return { quoted, purse }
  return { quoted: await quoteDraft(deps, changed), purse: { ...purse, payer: 'own' } }
}

/** The amount to top up for this price; undefined when the balance is enough, in a group, and while nothing can be topped up. */
function topUpFor({ topUps }: BotDeps, purse: Purse, price: Kopecks): Kopecks | undefined {
  if (purse.at === 'group' || topUps.providers.length === 0 || purse.available >= price) return undefined
  return amountToOffer(topUps, price - purse.available)
}
