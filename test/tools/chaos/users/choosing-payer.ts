// Chooses the payer of an order in a group on its card: the person, or the wallet of the group.

import type { Message } from 'grammy/types'
import { wordsOf } from './chats.ts'
import type { Order } from './orders.ts'
import { buttonOf, type Person } from './person.ts'

export const isByGroup = (card: Message): boolean => /, paid from the group wallet$/m.test(wordsOf(card))

/** Whether the card says that the wallet cannot pay; then a tap on the wallet's button changes nothing. */
const isRefused = (card: Message): boolean => wordsOf(card).includes('The group wallet cannot pay for it')

const changeShare = 0.25

/** Sometimes changes the payer, if the card offers another one. @returns the card with the chosen payer */
export async function choosePayer(
  person: Person,
  { words }: Order,
  card: Message,
): Promise<Message | undefined> {
  const was = isByGroup(card)
  const other = buttonOf(card, 'c:', was ? ':p:own' : ':p:group')
  if (!other || isRefused(card) || !person.chance.happens(changeShare)) return card
  await person.taps(card.message_id, other)
  return person.sees((message) => wordsOf(message).includes(words) && isByGroup(message) !== was)
}
