// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database. An order
// by "Again" has the prompt of the repeated order; in the database it is found by the update of the tap.

import type { Chance } from '../chance.ts'
import type { Again, Offer } from '../model/orders.ts'
import type { Pressed } from './person.ts'

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
