// Pays: /topup or the button of a card that is short of money, then one of the ways to pay. An invoice in Stars is sometimes paid twice at
// the same time, and sometimes with another amount than it states.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/balances.ts'
import { linksOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
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

// Pays on the YooKassa page that a link of the bot opens. Most people pay, some of them twice; some decline, some leave.

const decisions = [
  { weight: 70, acts: ['pay'] },
  { weight: 12, acts: ['pay', 'pay'] },
  { weight: 10, acts: ['cancel'] },
  { weight: 4, acts: ['cancel', 'pay'] },
  { weight: 4, acts: [] },
] as const

/** @param after the newest message before the link */
export async function payOnPage(town: Town, person: Person, after: number): Promise<void> {
  const told = await person.sees((message) => message.message_id > after && pageIn(message) !== undefined)
  const charge = told && pageIn(told)
  const credit = told && amountIn(wordsOf(told))
  if (!charge || credit === undefined) return
  const { acts } = person.chance.weighed(decisions)
  const statuses = await Promise.all(acts.map((act) => person.decides(charge, act)))
  town.journal.note(String(person.id), `YooKassa ${charge}: ${acts.join(', ')} -> ${statuses.join(', ')}`)
  if (statuses.includes('canceled')) town.declined.push({ person: person.id, credit })
  if (!statuses.includes('succeeded')) return
  town.payments.push({ provider: 'yookassa', charge, person: person.id, credit, asked: credit })
  // A payment on the page is not an update in the order of the chat, so a later message could overtake it.
  await person.sees((message) => message.message_id > told.message_id && isThanks(message))
}

/** The payment id in the link of the message. */
function pageIn(message: Message): string | undefined {
  const page = linksOf(message).find((link) => link.includes('/yookassa/checkout'))
  return page === undefined ? undefined : (new URL(page).searchParams.get('orderId') ?? undefined)
}

// The payments of all people, from their view.

export interface Payment {
  readonly provider: 'stars' | 'yookassa'
  readonly charge: string
  readonly person: number
  /** The credit that the bot promised for the payment, in kopecks. */
  readonly credit: number
  /** The amount that the bot asked for, in Stars or kopecks. */
  readonly asked: number
}

/** Whether a message is a thanks like `✅ ₽50.00 added.` */
export const isThanks = (message: Message): boolean => /^✅ ₽[\d.,]+\D{0,2} added\./.test(wordsOf(message))
