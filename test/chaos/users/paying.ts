// Paying by Stars: an invoice that is paid, sometimes twice at once, and now and then with another amount than it states.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import type { Errand } from './errands.ts'
import type { Person } from './person.ts'

export interface Payment {
  readonly charge: string
  readonly person: number
  /** What the invoice promises, in kopecks. */
  readonly credit: number
  /** What the invoice asks for. */
  readonly stars: number
}

const twiceShare = 0.15
/** A client of Telegram does not let its user change the amount; the bot must not rely on it. */
const wrongShare = 0.1

export const topUp: Errand = async (town, person) => {
  await person.says(`/topup ${person.chance.between(1, 3) * 50}`)
  const known = new Set([...person.chat.shown.keys()])
  const invoice = await person.sees(
    ({ invoice: it, message_id }) => it !== undefined && !known.has(message_id),
  )
  if (!invoice) return
  const stars = person.chance.happens(wrongShare) ? 1 : undefined
  const pays = () => pay(person, invoice, town.payments, stars)
  if (person.chance.happens(twiceShare)) await Promise.all([pays(), pays()])
  else await pays()
}

/** @param stars in place of the amount of the invoice */
async function pay(
  person: Person,
  message: Message,
  payments: Payment[],
  stars: number | undefined,
): Promise<void> {
  const credit = amountIn(message.invoice?.description ?? '')
  const charge = await person.pays(message, stars)
  if (charge === undefined || credit === undefined || !message.invoice) return
  payments.push({ charge, person: person.id, credit, stars: message.invoice.total_amount })
}
