// Ordering: a command, its card, sometimes a change, and Generate, which is tapped twice in half of all cases. Then what people do with
// orders: they order once more, and cancel.

import type { Chance } from '../chance.ts'
import { amountIn, buttonOf, buttonsOf, hasButton, type Message, wordsOf } from './chats.ts'
import { topUp } from './paying.ts'
import type { Person, Pressed, Visitor } from './person.ts'
import type { Errand, Town } from './town.ts'

export const orderOne: Errand = (town, person) => orderIn(town, person, person.id)

/** @param place the chat: the person's private chat, or a group */
async function orderIn(town: Town, person: Person, place: number): Promise<void> {
  const there = person.in(place)
  const order = begin(town, person, place)
  await there.says(commandOf(order))
  await confirm(town, there, order)
}

export const orderInGroup: Errand = async (town, person) => {
  const own = town.groups.filter(({ members }) => members.includes(person.id))
  if (own.length === 0) return
  await orderIn(town, person, person.chance.pick(own).id)
}

/** Sends several commands without waiting for a card. The cards must come in the order of the commands. */
export const orderSeveral: Errand = async (town, person) => {
  const orders = Array.from({ length: person.chance.between(2, 4) }, () => begin(town, person, person.id))
  for (const order of orders) await person.says(commandOf(order))
  for (const order of orders) await confirm(town, person, order)
}

/** Taps Generate on an earlier card. */
export const tapOldButton: Errand = async ({ book }, person) => {
  const own = [...book.orders.values()].filter((order) => order.person === person.id)
  const tapped = own.flatMap(({ place, offers }) => [...offers].map((offer) => [place, ...offer] as const))
  if (tapped.length === 0) return
  const [place, data, { messageId }] = person.chance.pick(tapped)
  await person.in(place).taps(messageId, data)
}

const commandOf = ({ command, prompt }: Order) => `/${command} ${prompt}`

function begin({ book, journal }: Town, { id, chance }: Person, place: number): Order {
  const order = book.add(id, place, chance)
  journal.note(order.mark, `${id} says ${commandOf(order)}`)
  return order
}

async function confirm(town: Town, person: Visitor, order: Order): Promise<void> {
  const { journal } = town
  let card = await person.sees(isCardOf(order))
  if (!card) return journal.note(order.mark, 'no card is seen')
  if (isChanged(order, person)) card = await change(person, order, card)
  if (card && / short$/m.test(wordsOf(card))) {
    await topUp(town, person)
    await person.taps(card.message_id, `c:${draftOf(card)}:b`)
    card = await person.sees((message) => isCardOf(order)(message) && hasButton('q:')(message))
  }
  if (!card) return journal.note(order.mark, 'the changed card is not seen')
  await tapGenerate(town, person, order, card)
}

const isCardOf =
  ({ words }: Order) =>
  (message: Message) =>
    wordsOf(message).includes(words) && (hasButton('q:')(message) || draftOf(message) !== undefined)

const draftOf = (card: Message) => /^c:(\w+):/.exec(buttonOf(card, 'c:') ?? '')?.[1]

/** Whether the number of pictures is changed: sometimes, and always for an order that loses a part, which needs more than one picture. */
const isChanged = ({ command, prompt }: Order, { chance }: Visitor) =>
  command === 'image' && (/\[(partial|gone)\]/.test(prompt) || chance.happens(0.4))

/** Changes the number of pictures to two or three. */
async function change(person: Visitor, order: Order, card: Message): Promise<Message | undefined> {
  const draft = draftOf(card)
  if (!draft) return card
  const count = person.chance.between(2, 3)
  await person.taps(card.message_id, `c:${draft}:s:n:${count}`)
  return person.sees((message) => isCardOf(order)(message) && countOn(message) === count)
}

/** The number of results on the card. */
function countOn(card: Message): number {
  const labels = buttonsOf(card).map(({ label }) => /^.*How many: (\d)$/.exec(label)?.[1])
  return Number(labels.find((count) => count !== undefined) ?? 1)
}

async function tapGenerate(town: Town, person: Visitor, order: Order, card: Message): Promise<void> {
  const generate = buttonsOf(card).find(({ data }) => data.startsWith('q:'))
  const price = generate && amountIn(generate.label)
  if (!generate || price === undefined) return
  const [{ data }, { message_id: messageId }] = [generate, card]
  const isByGroup = /, paid from the group wallet$/m.test(wordsOf(card))
  order.offers.set(data, { price, count: countOn(card), isByGroup, messageId })
  town.journal.note(order.mark, `Generate on message ${messageId} (${data})`)
  await person.taps(messageId, data, 0.5)
  if (person.chance.happens(cancelShare)) await cancel(town, person, order, messageId)
}

const twiceShare = 0.3
const cancelShare = 0.2

/** A tap on an order that exists, with the id of the order. */
export interface OrderTap {
  /** The chat of the tap. */
  readonly place: number
  readonly generation: string
  readonly tap: string
}

/** Cancels an order as soon as its card has become a status: the button is there only until the order is submitted. */
async function cancel(town: Town, person: Visitor, { mark, place }: Order, messageId: number): Promise<void> {
  const status = await person.sees((one) => one.message_id === messageId && hasButton('gc:')(one))
  const data = status && buttonOf(status, 'gc:')
  if (!data) return
  town.journal.note(mark, `cancels the order on message ${messageId} (${data})`)
  for (const { tap } of await person.taps(messageId, data, twiceShare))
    town.withdrawals.push({ place, generation: data.slice('gc:'.length), tap })
}

const newest = 8

/** Taps "Again" below an own result or failure, sometimes twice. The button orders at once at the price that it shows. */
export const orderAgain: Errand = async ({ book, journal }, { id, chance, chat, taps }) => {
  const offered = chat.said().flatMap(({ message, words, buttons }) => {
    const order = book.orders.get(marksIn(words)[0] ?? '')
    const again = buttons.find(({ data }) => data.startsWith('ro:'))
    const [generation, price] = [/^ro:(\w+)/.exec(again?.data ?? '')?.[1], amountIn(again?.label ?? '')]
    if (order?.place !== id || !again || !generation || price === undefined) return []
    return [{ messageId: message.message_id, order, data: again.data, again: { generation, price } }]
  })
  if (offered.length === 0) return
  const { messageId, data, order, again } = chance.pick(offered.slice(-newest))
  for (const pressed of await taps(messageId, data, 0.5)) {
    const { mark } = book.repeat(order, { ...again, ...pressed })
    journal.note(order.words, `${id} taps Again (${data}) on message ${messageId}: ${mark}`)
  }
}

// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database. An order
// by "Again" has the prompt of the repeated order; in the database it is found by the update of the tap.

/** An order as its person knows it. */
export interface Order {
  /** Like `o00042x`, or `o00042x again 7`. */
  readonly mark: string
  /** A text in all messages about this order and about other orders with the same prompt: the mark of the first of them. */
  readonly words: string
  readonly person: number
  /** The chat: the person's private chat, or a group. */
  readonly place: number
  readonly command: Command
  readonly prompt: string
  /** The gateway has no file for the first result. */
  readonly isGone: boolean
  /** The offers on the tapped Generate buttons, by the data of the button. */
  readonly offers: Map<string, Offer>
  /** The tapped "Again" button, if the order was made by it: the id of the order above it, and the price that it shows. */
  readonly again: (Pressed & { readonly generation: string; readonly price: number }) | undefined
}

export interface Offer {
  /** The price on the button. */
  readonly price: number
  /** The number of results that the price is for. */
  readonly count: number
  /** Whether the card said that the wallet of the group pays. */
  readonly isByGroup: boolean
  /** The card. */
  readonly messageId: number
}

export type OrderBook = ReturnType<typeof createOrderBook>

/** Texts in a prompt that choose how the local gateway ends the task; most tasks complete. */
const endings = [
  { weight: 72, words: '' },
  { weight: 7, words: '[fail]' },
  { weight: 4, words: '[cancel]' },
  { weight: 8, words: '[partial]' },
  { weight: 2, words: '[stuck]' },
  { weight: 4, words: '[gone]' },
]

const commands = [
  // The gateway calls back for these two.
  { weight: 20, command: 'video' },
  { weight: 10, command: 'music' },
  { weight: 52, command: 'image' },
  { weight: 9, command: 'speech' },
  { weight: 9, command: 'model3d' },
] as const
type Command = (typeof commands)[number]['command']

export function createOrderBook() {
  const orders = new Map<string, Order>()
  /** The orders made by "Again", by the update of the tap. */
  const byUpdate = new Map<number, Order>()
  const enter = (order: Order): Order => {
    orders.set(order.mark, order)
    if (order.again) byUpdate.set(order.again.updateId, order)
    return order
  }
  return {
    orders: orders as ReadonlyMap<string, Order>,
    byUpdate: byUpdate as ReadonlyMap<number, Order>,
    repeat: (before: Order, again: NonNullable<Order['again']>) =>
      enter({ ...before, mark: `${before.words} again ${byUpdate.size + 1}`, again }),
    add(person: number, place: number, chance: Chance) {
      const { command } = chance.weighed(commands)
      const { words: ending } = chance.weighed(endings)
      const mark = `o${String(orders.size + 1).padStart(5, '0')}x`
      const prompt = `${mark} a cat ${ending}`.trim()
      const own = { mark, words: mark, person, place, command, prompt, isGone: ending === '[gone]' }
      return enter({ ...own, offers: new Map(), again: undefined })
    },
  }
}

export const marksIn = (text: string): readonly string[] => text.match(/o\d{5}x/g) ?? []
