// Credit without a payment: promo codes, and bonuses for friends who came through an invitation and paid.

import type { Message } from 'grammy/types'
import { ownersCode } from '../offer.ts'
import { wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'

/** Sends a promo code. A person may send the same code again, also in other letters; it must be credited once. */
export const redeem: Errand = (town, person) => use(person.chance.weighed(town.promoCodes), person)

export async function redeemAsOwner({ promoCodes }: Town, person: Person): Promise<void> {
  const own = promoCodes.find(({ code }) => code === ownersCode)
  const before = lastMessage(person)
  if (own) await use(own, person)
  await person.sees((message) => message.message_id > before)
}

function use({ code, redeemers }: Town['promoCodes'][number], person: Person): Promise<void> {
  redeemers.add(person.id)
  const spellings = [code, code.toLowerCase(), ` ${code} `]
  return person.says(`/promo ${person.chance.pick(spellings)}`)
}

export interface Invitation {
  readonly inviter: number
  /** Whether the bot answered the invitation link with its greeting, so that no other message of the person was handled before the link. */
  readonly isCertain: boolean
}

/** Asks the bot for the person's invitation link. */
export const invite: Errand = async ({ links }, person) => {
  const before = lastMessage(person)
  await person.says('/invite')
  const told = await person.sees(
    (message) => message.message_id > before && /\?start=ref_/.test(wordsOf(message)),
  )
  const link = /\?start=(ref_[0-9a-z]+)/.exec(told ? wordsOf(told) : '')?.[1]
  if (link) links.set(person.id, link)
}

const invitedShare = 0.8
const isGreeting = (message: Message): boolean => wordsOf(message).startsWith('👋')

/** Sends the first message of a person, often through an invitation link. After an apology the link is opened once more. */
export async function begin({ links, invitations, groups }: Town, person: Person): Promise<void> {
  const [chosen] =
    person.chance.happens(invitedShare) && links.size > 0 ? [person.chance.pick([...links])] : []
  if (!chosen) return person.says('/start')
  const [inviter, link] = chosen
  let isCertain = false
  for (let tries = 0; tries < 2 && !isCertain; tries++) {
    const before = lastMessage(person)
    await person.says(`/start ${link}`)
    const answer = await person.sees(({ message_id }) => message_id > before)
    isCertain = answer !== undefined && isGreeting(answer)
  }
  // The bot knows the creator of a group before the first message.
  const isKnown = groups.some(({ owner }) => owner === person.id)
  invitations.set(person.id, { inviter, isCertain: isCertain && !isKnown })
}
