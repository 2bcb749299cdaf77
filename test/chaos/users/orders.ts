// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database.

import type { Chance } from '../chance.ts'
import type { Offer } from '../model/orders.ts'

type Command = 'image' | 'video' | 'music' | 'speech'

export interface Order {
  /** Like `o00042x`. */
  readonly mark: string
  readonly person: number
  /** The chat: that of the person, or a group. */
  readonly place: number
  readonly command: Command
  readonly prompt: string
  readonly isGone: boolean
  /** The Generate buttons that were tapped. */
  readonly offers: Map<string, Offer>
}

export interface OrderBook {
  readonly orders: ReadonlyMap<string, Order>
  add(person: number, place: number, chance: Chance): Order
}

/** Words of the prompt that make the local gateway end the task in another way than completely. */
const endings = [
  { weight: 72, words: '' },
  { weight: 7, words: '[fail]' },
  { weight: 4, words: '[cancel]' },
  { weight: 8, words: '[partial]' },
  { weight: 2, words: '[stuck]' },
  { weight: 4, words: '[gone]' },
] as const

type Weighed = readonly { readonly weight: number; readonly command: Command }[]

const withCallbacks: Weighed = [
  { weight: 2, command: 'video' },
  { weight: 1, command: 'music' },
]
const withoutCallbacks: Weighed = [
  { weight: 6, command: 'image' },
  { weight: 1, command: 'speech' },
]

/** @param calledBack the share of orders whose tasks call back */
export function createOrderBook(calledBack: number): OrderBook {
  const orders = new Map<string, Order>()
  return {
    orders,
    add(person, place, chance) {
      const mark = `o${String(orders.size + 1).padStart(5, '0')}x`
      const { command } = chance.weighed(chance.happens(calledBack) ? withCallbacks : withoutCallbacks)
      const prompt = `${mark} a cat ${chance.weighed(endings).words}`.trim()
      const isGone = prompt.includes('[gone]')
      const order: Order = { mark, person, place, command, prompt, isGone, offers: new Map() }
      orders.set(mark, order)
      return order
    },
  }
}

export const marksIn = (text: string): readonly string[] => text.match(/o\d{5}x/g) ?? []
