// Who pays for an order in a group, by its card: the person, or the wallet of the group.

import type { Message } from 'grammy/types'
import { wordsOf } from './chats.ts'
import type { Order } from './orders.ts'
import { buttonOf, type Person } from './person.ts'

export const isByGroup = (card: Message): boolean => /, paid from the group wallet$/m.test(wordsOf(card))

/** The wallet would not pay: a tap on its button changes nothing. */
const isRefused = (card: Message): boolean => wordsOf(card).includes('The group wallet cannot pay for it')

const changeShare = 0.25

/** Changes the payer now and then, if the card offers another one. @returns the card with the payer that was chosen */
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
