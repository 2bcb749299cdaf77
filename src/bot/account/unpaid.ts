// Unpaid top-ups, as the deletion of a user's data mentions them. A payment under way on a provider's page delays the deletion, since its
// money would belong to nobody. An invoice of Telegram does not: the bot is asked before it is paid, and refuses then.

import { closedBy } from '../../payments/links.ts'
import { pollLinksOf } from '../../payments/notifications.ts'
import { type TopUp, unpaidTopUps } from '../../payments/top-ups.ts'
import { localMinute } from '../../telegram/local-time.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'

const mostNamed = 5

/** The warning about unpaid invoices above the confirmation; empty when the user has no invoices. */
export async function invoiceWarning(deps: BotDeps, { say, user }: Ctx): Promise<string[]> {
  const invoices = (await unpaidTopUps(deps.db, user.id)).filter(({ provider }) => isInvoice(deps, provider))
  if (invoices.length === 0) return []
  const amounts = invoices.slice(0, mostNamed).map(({ credit }) => say.roubles(credit))
  const rest = invoices.length > mostNamed ? ['…'] : []
  return [say.html('forget-invoices', { count: invoices.length, amounts: [...amounts, ...rest].join(', ') })]
}

const isInvoice = ({ topUps }: BotDeps, provider: string): boolean =>
  topUps.providers.find(({ id }) => id === provider)?.way.by === 'invoice'

/** Says why the data cannot be deleted yet, and when the obstacle ends by itself. No provider can cancel an unpaid payment. */
export async function payingText(deps: BotDeps, { say, user }: Ctx): Promise<string> {
  const paying = (await unpaidTopUps(deps.db, user.id)).filter(({ nextCheckAt }) => nextCheckAt !== null)
  await pollLinksOf(deps.topUps, user.id)
  const now = deps.clock.now()
  const lines = paying.map((one) => payingLine(say, one, now))
  return [say.html('forget-paying'), ...lines, '', say.html('forget-paying-then')].join('\n')
}

const payingLine = (say: Say, topUp: TopUp, now: Date): string =>
  say.html('forget-paying-line', {
    amount: say.roubles(topUp.credit),
    until: localMinute(say, closedBy(topUp, now)),
  })
