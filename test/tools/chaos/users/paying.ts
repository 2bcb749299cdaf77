// Pays: /topup or the button of a card that is short of money, then one of the ways to pay. An invoice in Stars is sometimes paid twice at
// the same time, and sometimes with another amount than it states.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import type { Errand } from './errands.ts'
import { payOnPage } from './paying-on-page.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'

const twiceShare = 0.15
/** The share of payments with another amount. Telegram's clients do not let users change it, but the bot must not rely on that. */
const wrongShare = 0.1

const ways = [
  { weight: 6, provider: 'stars', pay: payInvoice },
  { weight: 5, provider: 'yookassa', pay: payOnPage },
] as const

export const topUp: Errand = (town, person) =>
  payAfter(town, person, () => person.says(`/topup ${person.chance.between(1, 3) * 50}`))

/** @param begin an action after which the bot asks for the way to pay */
export async function payAfter(town: Town, person: Person, begin: () => Promise<unknown>): Promise<void> {
  const before = lastMessage(person)
  const { provider, pay } = person.chance.weighed(ways)
  const way = (message: Message) => buttonOf(message, 't:', `:${provider}`)
  await begin()
  const choice = await person.sees((message) => message.message_id > before && way(message) !== undefined)
  const data = choice && way(choice)
  if (!data) return
  await person.taps(choice.message_id, data)
  await pay(town, person, choice.message_id)
}

async function payInvoice(town: Town, person: Person, after: number): Promise<void> {
  const invoice = await person.sees(({ invoice: it, message_id }) => it !== undefined && message_id > after)
  if (!invoice) return
  const stars = person.chance.happens(wrongShare) ? 1 : undefined
  const pays = () => pay(town, person, invoice, stars)
  if (person.chance.happens(twiceShare)) await Promise.all([pays(), pays()])
  else await pays()
}

/** @param stars replaces the amount of the invoice */
async function pay(
  { payments }: Town,
  person: Person,
  message: Message,
  stars: number | undefined,
): Promise<void> {
  const credit = amountIn(message.invoice?.description ?? '')
  const charge = await person.pays(message, stars)
  if (charge === undefined || credit === undefined || !message.invoice) return
  payments.push({ provider: 'stars', charge, person: person.id, credit, asked: message.invoice.total_amount })
}
