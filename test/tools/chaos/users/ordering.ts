// Ordering: a command, its card, sometimes a change, and Generate, which is tapped twice in half of all cases.

import type { Message } from 'grammy/types'
import type { Chance } from '../chance.ts'
import { amountIn } from '../model/balances.ts'
import type { Again, Offer } from '../model/orders.ts'
import { buttonsOf, type Chat, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { changeMind } from './history.ts'
import { payAfter, topUp } from './paying.ts'
import { buttonOf, lastMessage, type Person, type Pressed } from './person.ts'
import { wordsOfTranslation } from './talking.ts'
import type { Town } from './town.ts'
import { choosePayer, isByGroup } from './wallets.ts'

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

// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database. An order
// by "Again" has the prompt of the repeated order; in the database it is found by the update of the tap.

type Command = 'image' | 'video' | 'music' | 'speech' | 'model3d'

export interface TappedOffer extends Offer {
  /** The person who tapped Generate. */
  readonly person: number
  /** The chat of the card. */
  readonly place: number
  /** The text of the card. */
  readonly card: string
  /** The ids of the taps on Generate. */
  readonly taps: readonly string[]
}

export interface Order {
  /** A mark like `o00042x` or `o00042x again 7`. */
  readonly mark: string
  /** A text in its prompt and in messages about it: the mark of the first order with this prompt. */
  readonly words: string
  readonly person: number
  /** The chat: the person's private chat, or a group. */
  readonly place: number
  readonly command: Command
  readonly prompt: string
  readonly isGone: boolean
  /** The tapped Generate buttons of all orders with this prompt. */
  readonly offers: Map<string, TappedOffer>
  /** The tap on "Again" that made the order; undefined for an order by a command. */
  readonly again: (Again & Pressed) | undefined
}

export interface OrderBook {
  readonly orders: ReadonlyMap<string, Order>
  /** The orders made by "Again", by the update of the tap. */
  readonly byUpdate: ReadonlyMap<number, Order>
  /** @param command a random command by default */
  add(person: number, place: number, chance: Chance, command?: Command): Order
  /** Adds an order of a picture in the private chat. */
  addInWords(person: number, words: string): Order
  repeat(before: Order, by: Pick<Order, 'person' | 'place'>, again: Again & Pressed): Order
}

/** Texts in a prompt that choose how the local gateway ends the task; most tasks complete. */
const endings = [
  { weight: 72, words: '' },
  { weight: 7, words: '[fail]' },
  { weight: 4, words: '[cancel]' },
  { weight: 8, words: '[partial]' },
  { weight: 2, words: '[stuck]' },
  { weight: 4, words: '[gone]' },
] as const

/** Orders in groups often have a part that is paid back, since the wallet may have paid. */
const endingsInGroups = [
  ...endings,
  { weight: 20, words: '[partial]' },
  { weight: 30, words: '[gone]' },
] as const

type Weighed = readonly { readonly weight: number; readonly command: Command }[]

const withCallbacks: Weighed = [
  { weight: 2, command: 'video' },
  { weight: 1, command: 'music' },
]
const withoutCallbacks: Weighed = [
  { weight: 6, command: 'image' },
  { weight: 1, command: 'speech' },
  { weight: 1, command: 'model3d' },
]

/** The share of orders in groups that cost more than the lowest limit of a wallet and less than its balance. */
const dearShare = 0.35

/** @param calledBack the share of orders whose tasks call back */
export function createOrderBook(calledBack: number): OrderBook {
  const orders = new Map<string, Order>()
  const byUpdate = new Map<number, Order>()
  const enter = (by: Pick<Order, 'person' | 'place' | 'command'>, words: string): Order => {
    const mark = `o${String(orders.size + 1).padStart(5, '0')}x`
    const own = { ...by, mark, words: mark, prompt: `${mark} ${words}`, isGone: words.includes('[gone]') }
    const order: Order = { ...own, offers: new Map(), again: undefined }
    orders.set(mark, order)
    return order
  }
  return {
    orders,
    byUpdate,
    repeat(before, by, again) {
      const order = { ...before, ...by, mark: `${before.words} again ${byUpdate.size + 1}`, again }
      orders.set(order.mark, order)
      byUpdate.set(again.updateId, order)
      return order
    },
    add(person, place, chance, wanted) {
      const isDear = place !== person && chance.happens(dearShare)
      const weighed = chance.weighed(chance.happens(calledBack) ? withCallbacks : withoutCallbacks)
      const command = wanted ?? (isDear ? 'video' : weighed.command)
      const { words } = chance.weighed(place === person ? endings : endingsInGroups)
      return enter({ person, place, command }, `a cat ${words}`.trim())
    },
    addInWords: (person, words) => enter({ person, place: person, command: 'image' }, words),
  }
}

export const marksIn = (text: string): readonly string[] => text.match(/o\d{5}x/g) ?? []

// Sends a Russian prompt for a model that accepts only English. A text model translates it for money; then the card is ordered or left.

const englishOnly = 'MODEL-IMAGE-PHOTO'
const orderShare = 0.5

export const orderInRussian: Errand = async (town, person) => {
  const translation = town.questions.translate(person.id)
  const order = town.book.addInWords(person.id, wordsOfTranslation(translation))
  town.journal.note(order.mark, `${person.id} says /image ${order.prompt}`)
  await person.says(`/image ${order.prompt}`)
  const card = await person.sees(isCardOf(order))
  const draft = card && draftOf(card)
  if (!draft) return
  await person.taps(card.message_id, `c:${draft}:m:${englishOnly}`)
  const translate = `c:${draft}:e`
  const isUnfit = (message: Message) => isCardOf(order)(message) && buttonOf(message, translate) !== undefined
  const unfit = await person.sees(isUnfit)
  if (!unfit) return
  translation.taps = person.chance.happens(twiceShare) ? 2 : 1
  const tap = () => person.taps(unfit.message_id, translate)
  await Promise.all(Array.from({ length: translation.taps }, tap))
  const isMade = (message: Message) =>
    isCardOf(order)(message) && wordsOf(message).includes(translation.made) && isOrderable(message)
  const made = await person.sees(isMade)
  if (!made || !person.chance.happens(orderShare)) return
  await person.taps(made.message_id, `c:${draft}:s:numberOfImages:1`)
  const single = await person.sees((message) => isMade(message) && countOn(message) === 1)
  if (single) await tapGenerate(town, person, order, single)
}

// Taps "Again" below a result or a failure, sometimes twice. The button orders at once at the price that it shows; below the result of
// another person it opens a card.

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

// The messages about orders that a person sees in a chat.

export interface AboutOrder {
  readonly message: Message
  /** The first order with the prompt that the message shows. */
  readonly order: Order
}

/** All messages of the bot that show the prompt of an order, oldest first. */
export function messagesAbout({ orders }: OrderBook, { shown }: Chat): readonly AboutOrder[] {
  return [...shown.values()].flatMap(({ message, isGone }) => {
    const order = orders.get(marksIn(wordsOf(message))[0] ?? '')
    return order && !isGone && message.from?.is_bot === true ? [{ message, order }] : []
  })
}
