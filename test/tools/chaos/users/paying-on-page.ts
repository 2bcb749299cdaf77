// Pays on the YooKassa page that a link of the bot opens. Most people pay, some of them twice; some decline, some leave.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import { linksOf, wordsOf } from './chats.ts'
import { isThanks } from './payments.ts'
import type { Person } from './person.ts'
import type { Town } from './town.ts'

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
