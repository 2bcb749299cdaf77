// Ordering: a command, its card, sometimes a change, and Generate, which is tapped twice in half of all cases.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import { choosePayer, isByGroup } from './choosing-payer.ts'
import type { Errand } from './errands.ts'
import type { Order } from './orders.ts'
import { payAfter, topUp } from './paying.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'
import { changeMind } from './withdrawing.ts'

export const orderOne: Errand = (town, person) => orderIn(town, person, person.id)

/** @param place the chat: the person's private chat, or a group */
async function orderIn(town: Town, person: Person, place: number): Promise<void> {
  const there = person.in(place)
  const order = begin(town, person, place)
  await there.says(commandOf(order))
  await confirm(town, there, order)
}

const twoCardsShare = 0.3

/** Orders in a group, sometimes two cards at once: each card shows the wallet's balance before the other card is ordered. */
export async function orderInChat(town: Town, person: Person, group: number): Promise<void> {
  if (!person.chance.happens(twoCardsShare)) return orderIn(town, person, group)
  const there = person.in(group)
  // The two videos together cost more than the first limit of a wallet.
  const orders = [begin(town, person, group, 'video'), begin(town, person, group, 'video')]
  for (const order of orders) await there.says(commandOf(order))
  await Promise.all(orders.map((order) => there.sees(isCardOf(order))))
  await Promise.all(orders.map((order) => confirm(town, there, order)))
}

/** Sends several commands without waiting for a card. The cards must come in the order of the commands. */
export const orderSeveral: Errand = async (town, person) => {
  const orders = Array.from({ length: person.chance.between(2, 4) }, () => begin(town, person, person.id))
  for (const order of orders) await person.says(commandOf(order))
  for (const order of orders) await confirm(town, person, order)
}

/** Taps a button of an earlier card. */
export const tapOldButton: Errand = async ({ oldButtons }, person) => {
  const own = oldButtons.filter((one) => one.person === person.id)
  if (own.length === 0) return
  const { place, messageId, data } = person.chance.pick(own)
  await person.in(place).taps(messageId, data)
}

const commandOf = ({ command, prompt }: Order) => `/${command} ${prompt}`

function begin(
  { book, journal }: Town,
  { id, chance }: Person,
  place: number,
  command?: Order['command'],
): Order {
  const order = book.add(id, place, chance, command)
  journal.note(order.mark, `${id} says ${commandOf(order)}`)
  return order
}

async function confirm(town: Town, person: Person, order: Order): Promise<void> {
  const { journal } = town
  let card = await person.sees(isCardOf(order))
  if (!card) return journal.note(order.mark, 'no card is seen')
  if (isChanged(order, person)) card = await change(person, order, card)
  if (card && order.place !== order.person) card = await choosePayer(person, order, card)
  if (!card) return journal.note(order.mark, 'the changed card is not seen')
  if (/ short$/m.test(wordsOf(card))) {
    card = await payFor(town, person, order, card)
    if (!card) return journal.note(order.mark, 'the card is gone')
  }
  await tapGenerate(town, person, order, card)
}

export const isCardOf =
  ({ words }: Order) =>
  (message: Message) =>
    wordsOf(message).includes(words) && (isOrderable(message) || draftOf(message) !== undefined)

export const isOrderable = (message: Message) => buttonOf(message, 'q:') !== undefined
export const draftOf = (card: Message) => /^c:(\w+):/.exec(buttonOf(card, 'c:') ?? '')?.[1]

/** Pays by /topup, or by the button of the card; after the button the card comes back by itself. */
async function payFor(town: Town, person: Person, order: Order, card: Message): Promise<Message | undefined> {
  const tops = buttonOf(card, `c:${draftOf(card)}:t:`)
  if (!tops || person.chance.happens(0.5)) {
    await topUp(town, person)
    return refresh(person, order, card)
  }
  const before = lastMessage(person)
  await payAfter(town, person, () => person.taps(card.message_id, tops))
  const isBack = (message: Message) => message.message_id > before && isOrderable(message)
  const back = await person.sees((message) => isCardOf(order)(message) && isBack(message))
  return back ?? refresh(person, order, card)
}

/** Opens the card again after a top-up. @returns the card with its button Generate */
async function refresh(person: Person, order: Order, card: Message): Promise<Message | undefined> {
  await person.taps(card.message_id, `c:${draftOf(card)}:b`)
  return person.sees((message) => isCardOf(order)(message) && isOrderable(message))
}

/** Whether the number of pictures is changed: sometimes, and always for an order that loses a part, which needs more than one picture. */
const isChanged = ({ command, prompt }: Order, { chance }: Person) =>
  command === 'image' && (/\[(partial|gone)\]/.test(prompt) || chance.happens(0.4))

/** Changes the number of pictures to two or three. */
async function change(person: Person, order: Order, card: Message): Promise<Message | undefined> {
  const draft = draftOf(card)
  if (!draft) return card
  const count = person.chance.between(2, 3)
  await person.taps(card.message_id, `c:${draft}:s:n:${count}`)
  return person.sees((message) => isCardOf(order)(message) && countOn(message) === count)
}

/** The number of results on the card. */
export const countOn = (card: Message): number =>
  Number(
    /Pictures: (\d)$/m.exec(
      buttonsOf(card)
        .map(({ label }) => label)
        .join('\n'),
    )?.[1] ?? 1,
  )

export async function tapGenerate(town: Town, person: Person, order: Order, card: Message): Promise<void> {
  const generate = buttonsOf(card).find(({ data }) => data.startsWith('q:'))
  const price = generate && amountIn(generate.label)
  if (!generate || price === undefined) return
  const { data } = generate
  const { message_id: messageId } = card
  const taps = person.chance.happens(0.5) ? 2 : 1
  const known: string[] = []
  const { place } = order
  const seen = { price, count: countOn(card), isByGroup: isByGroup(card), card: wordsOf(card) }
  order.offers.set(data, { ...seen, person: person.id, place, taps: known })
  town.journal.note(
    order.mark,
    `Generate on message ${messageId}, ${taps === 1 ? 'once' : 'twice'} (${data})`,
  )
  town.oldButtons.push({ person: person.id, place, messageId, data })
  const tapped = await Promise.all(Array.from({ length: taps }, () => person.taps(messageId, data)))
  known.push(...tapped.filter((tap) => tap !== undefined))
  await changeMind(town, person, order, messageId)
}
