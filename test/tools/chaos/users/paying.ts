// Credit: payments by Stars and on the page of YooKassa, and invitations, whose inviter gets a bonus.

import { amountIn, buttonOf, hasButton, linksOf, type Message, wordsOf } from './chats.ts'
import type { Person, Visitor } from './person.ts'
import type { Errand, Town } from './town.ts'

/** A payment from the view of its person. */
export interface Payment {
  readonly provider: 'stars' | 'yookassa'
  readonly charge: string
  readonly person: number
  /** The credit that the bot promised for the payment, in kopecks. */
  readonly credit: number
  /** The amount that the bot asked for, in Stars or kopecks. */
  readonly asked: number
}

const twiceShare = 0.15
/** The share of payments with another amount. Telegram's clients do not let users change it, but the bot must not rely on that. */
const wrongShare = 0.1

const ways = [
  { weight: 6, provider: 'stars', pay: payInvoice },
  { weight: 5, provider: 'yookassa', pay: payOnPage },
] as const

/** Asks for a top-up, chooses the way to pay, and pays. */
export async function topUp(town: Town, person: Visitor, roubles?: number): Promise<void> {
  const { provider, pay } = person.chance.weighed<(typeof ways)[number]>(ways)
  const amount = roubles ?? person.chance.between(1, 3) * 50
  const choice = await person.asks(`/topup ${amount}`, hasButton('t:', `:${provider}`))
  const data = choice && buttonOf(choice, 't:', `:${provider}`)
  if (!data) return
  await person.taps(choice.message_id, data)
  await pay(town, person, choice.message_id)
}

/** An invoice is sometimes paid twice at the same time. @param after the newest message before the invoice */
async function payInvoice({ payments }: Town, person: Visitor, after: number): Promise<void> {
  const { chance } = person
  const message = await person.sees(({ invoice, message_id }) => invoice !== undefined && message_id > after)
  if (!message?.invoice) return
  const { description, total_amount: asked } = message.invoice
  const stars = chance.happens(wrongShare) ? 1 : undefined
  const pay = async () => {
    const credit = amountIn(description)
    const charge = await person.pays(message, stars)
    if (charge !== undefined && credit !== undefined)
      payments.push({ provider: 'stars', charge, person: person.id, credit, asked })
  }
  await Promise.all(chance.happens(twiceShare) ? [pay(), pay()] : [pay()])
}

const decisions = [
  { weight: 70, acts: ['pay'] },
  { weight: 12, acts: ['pay', 'pay'] },
  { weight: 10, acts: ['cancel'] },
  { weight: 4, acts: ['cancel', 'pay'] },
  { weight: 4, acts: [] },
] as const

/** Pays on the page that a link of the bot opens. @param after the newest message before the link */
async function payOnPage(town: Town, person: Visitor, after: number): Promise<void> {
  const told = await person.sees((message) => message.message_id > after && pageIn(message) !== undefined)
  const charge = told && pageIn(told)
  const credit = told && amountIn(wordsOf(told))
  if (!charge || credit === undefined) return
  const { acts } = person.chance.weighed<(typeof decisions)[number]>(decisions)
  const statuses = await Promise.all(acts.map((act) => person.decides(charge, act)))
  town.journal.note(String(person.id), `YooKassa ${charge}: ${acts.join(', ')} -> ${statuses.join(', ')}`)
  if (statuses.includes('canceled')) town.declined.push({ person: person.id })
  if (!statuses.includes('succeeded')) return
  town.payments.push({ provider: 'yookassa', charge, person: person.id, credit, asked: credit })
  // A payment on the page is not an update in the order of the chat, so a later message could overtake it.
  await person.sees((message) => message.message_id > told.message_id && thanks.test(wordsOf(message)))
}

/** The payment id in the link of the message. */
function pageIn(message: Message): string | undefined {
  const page = linksOf(message).find((link) => link.includes('/yookassa/checkout'))
  return page === undefined ? undefined : (new URL(page).searchParams.get('orderId') ?? undefined)
}

/** The words of a thanks like `✅ ₽50 added.` */
export const thanks = /^✅ ₽[\d.,]+\D{0,2} added\./

/** Asks the bot for the person's invitation link. */
export const invite: Errand = async ({ links }, person) => {
  const linkIn = (message: Message) => /\?start=(ref_[0-9a-z]+)/.exec(wordsOf(message))?.[1]
  const told = await person.asks('/invite', (message) => linkIn(message) !== undefined)
  const link = told && linkIn(told)
  if (link) links.set(person.id, link)
}

const invitedShare = 0.8

/** Sends the first message of a person, often through an invitation link. */
export async function begin({ links }: Town, { chance, says }: Person): Promise<void> {
  const isInvited = links.size > 0 && chance.happens(invitedShare)
  await says(isInvited ? `/start ${chance.pick([...links.values()])}` : '/start')
}
