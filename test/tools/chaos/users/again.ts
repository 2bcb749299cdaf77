// Taps "Again" below a result or a failure, sometimes twice. The button orders at once at the price that it shows; below the result of
// another person it opens a card.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import { buttonsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { isCardOf, isOrderable, tapGenerate } from './ordering.ts'
import type { Order } from './orders.ts'
import { lastMessage, type Person } from './person.ts'
import { messagesAbout } from './results.ts'
import type { Town } from './town.ts'

const groupShare = 0.3
const twiceShare = 0.3
/** The share of people who also tap Generate on the card while "Again" orders it. */
const hastyShare = 0.3

export const orderAgain: Errand = async (town, person) => {
  const group = town.groups.find(({ members }) => members.includes(person.id))
  const there = group && person.chance.happens(groupShare) ? person.in(group.id) : person
  const chosen = chooseResult(town, there)
  if (!chosen) return
  const before = lastMessage(there)
  const place = there === person ? person.id : (group?.id ?? person.id)
  const times = person.chance.happens(twiceShare) ? 2 : 1
  const orders = await Promise.all(Array.from({ length: times }, () => tapAgain(town, there, place, chosen)))
  const order = orders.find((one) => one !== undefined)
  if (!order || (place === person.id && !person.chance.happens(hastyShare))) return
  const isNew = (message: Message) => message.message_id > before && isOrderable(message)
  const card = await there.sees((message) => isCardOf(order)(message) && isNew(message))
  if (card) await tapGenerate(town, there, order, card)
}

interface Chosen {
  readonly messageId: number
  readonly order: Order
  readonly data: string
  /** The id of the order above the button. */
  readonly generation: string
  readonly price: number | undefined
}

const newest = 8

function chooseResult({ book }: Town, { chat, chance }: Person): Chosen | undefined {
  const chosen = messagesAbout(book, chat).flatMap(({ message, order }) =>
    againOn(message).map((button) => ({ ...button, order })),
  )
  return chosen.length === 0 ? undefined : chance.pick(chosen.slice(-newest))
}

const againOn = (message: Message): readonly Omit<Chosen, 'order'>[] =>
  buttonsOf(message).flatMap(({ data, label }) => {
    const generation = /^ro?:(\w+)/.exec(data)?.[1]
    const price = data.startsWith('ro:') ? amountIn(label) : undefined
    return generation ? [{ messageId: message.message_id, data, generation, price }] : []
  })

async function tapAgain(
  { book, journal }: Town,
  person: Person,
  place: number,
  { messageId, data, order: before, generation, price }: Chosen,
): Promise<Order | undefined> {
  const pressed = await person.presses(messageId, data)
  if (!pressed) return undefined
  const order = book.repeat(before, { person: person.id, place }, { generation, price, ...pressed })
  journal.note(before.words, `${person.id} taps Again (${data}) on message ${messageId}: ${order.mark}`)
  return order
}
