// Paying by Stars: an invoice that is paid, sometimes twice at once.

import type { Message } from 'grammy/types'
import type { Errand } from './errands.ts'
import type { Person } from './person.ts'

export interface Payment {
  readonly charge: string
  readonly person: number
}

export const topUp: Errand = async (town, person) => {
  await person.says(`/topup ${person.chance.between(1, 3) * 50}`)
  const known = new Set([...person.chat.shown.keys()])
  const invoice = await person.sees(
    ({ invoice: it, message_id }) => it !== undefined && !known.has(message_id),
  )
  if (!invoice) return
  const pays = () => pay(person, invoice, town.payments)
  if (person.chance.happens(0.15)) await Promise.all([pays(), pays()])
  else await pays()
}

async function pay(person: Person, invoice: Message, payments: Payment[]): Promise<void> {
  const charge = await person.pays(invoice)
  if (charge !== undefined) payments.push({ charge, person: person.id })
}
