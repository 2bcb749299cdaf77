// Ordering: a command, its card, sometimes a change, and Generate, which is tapped twice in half of all cases.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import type { Order } from './orders.ts'
import { topUp } from './paying.ts'
import { buttonOf, type Person } from './person.ts'
import type { Town } from './town.ts'

export const orderOne: Errand = async (town, person) => {
  const order = begin(town, person)
  await person.says(commandOf(order))
  await confirm(town, person, order)
}

/** Several commands without waiting for a card. The cards must come in the order of the commands. */
export const orderSeveral: Errand = async (town, person) => {
  const orders = Array.from({ length: person.chance.between(2, 4) }, () => begin(town, person))
  for (const order of orders) await person.says(commandOf(order))
  for (const order of orders) await confirm(town, person, order)
}

/** Taps a button of an earlier card. */
export const tapOldButton: Errand = async ({ oldButtons }, person) => {
  const own = oldButtons.filter((one) => one.person === person.id)
  if (own.length === 0) return
  const { messageId, data } = person.chance.pick(own)
  await person.taps(messageId, data)
}

const commandOf = ({ command, prompt }: Order) => `/${command} ${prompt}`

function begin({ book, journal }: Town, { id, chance }: Person): Order {
  const order = book.add(id, chance)
  journal.note(order.mark, `${id} says ${commandOf(order)}`)
  return order
}

async function confirm(town: Town, person: Person, order: Order): Promise<void> {
  const { journal } = town
  let card = await person.sees(isCardOf(order))
  if (!card) return journal.note(order.mark, 'no card is seen')
  if (isChanged(order, person)) card = await change(person, order, card)
  if (!card) return journal.note(order.mark, 'the changed card is not seen')
  if (/ short$/m.test(wordsOf(card))) {
    await topUp(town, person)
    card = await refresh(person, order, card)
    if (!card) return journal.note(order.mark, 'the card is gone')
  }
  await tapGenerate(town, person, order, card)
}

const isCardOf =
  ({ mark }: Order) =>
  (message: Message) =>
    wordsOf(message).includes(mark) && (isOrderable(message) || draftOf(message) !== undefined)

const isOrderable = (message: Message) => buttonOf(message, 'q:') !== undefined
const draftOf = (card: Message) => /^c:(\w+):/.exec(buttonOf(card, 'c:') ?? '')?.[1]

/** A card that was short of money has its Generate again. */
async function refresh(person: Person, order: Order, card: Message): Promise<Message | undefined> {
  await person.taps(card.message_id, `c:${draftOf(card)}:b`)
  return person.sees((message) => isCardOf(order)(message) && isOrderable(message))
}

/** An order of which a part is lost needs more than one picture. */
const isChanged = ({ command, prompt }: Order, { chance }: Person) =>
  command === 'image' && (/\[(partial|gone)\]/.test(prompt) || chance.happens(0.2))

/** Asks for two or three pictures. */
async function change(person: Person, order: Order, card: Message): Promise<Message | undefined> {
  const draft = draftOf(card)
  if (!draft) return card
  const count = person.chance.between(2, 3)
  await person.taps(card.message_id, `c:${draft}:s:n:${count}`)
  return person.sees((message) => isCardOf(order)(message) && countOn(message) === count)
}

/** How many results the card says. */
const countOn = (card: Message): number =>
  Number(
    /Pictures: (\d)$/m.exec(
      buttonsOf(card)
        .map(({ label }) => label)
        .join('\n'),
    )?.[1] ?? 1,
  )

async function tapGenerate(town: Town, person: Person, order: Order, card: Message): Promise<void> {
  const generate = buttonsOf(card).find(({ data }) => data.startsWith('q:'))
  const price = generate && amountIn(generate.label)
  if (!generate || price === undefined) return
  const { data } = generate
  const { message_id: messageId } = card
  const taps = person.chance.happens(0.5) ? 2 : 1
  order.offers.set(data, { price, count: countOn(card) })
  town.journal.note(
    order.mark,
    `Generate on message ${messageId}, ${taps === 1 ? 'once' : 'twice'} (${data})`,
  )
  town.oldButtons.push({ person: person.id, messageId, data })
  await Promise.all(Array.from({ length: taps }, () => person.taps(messageId, data)))
}
