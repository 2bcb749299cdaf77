// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database.

import type { Chance } from '../chance.ts'
import type { Offer } from '../model/orders.ts'

export interface Order {
  /** Like `o00042x`. */
  readonly mark: string
  readonly person: number
  readonly command: 'image' | 'music' | 'speech'
  readonly prompt: string
  readonly isGone: boolean
  /** How many results the card asks for. */
  count: number
  /** The Generate buttons that were tapped. */
  readonly offers: Map<string, Offer>
}

export interface OrderBook {
  readonly orders: ReadonlyMap<string, Order>
  add(person: number, chance: Chance): Order
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

const commands = [
  { weight: 80, command: 'image' },
  { weight: 8, command: 'music' },
  { weight: 12, command: 'speech' },
] as const

export function createOrderBook(): OrderBook {
  const orders = new Map<string, Order>()
  return {
    orders,
    add(person, chance) {
      const mark = `o${String(orders.size + 1).padStart(5, '0')}x`
      const { command } = chance.weighed(commands)
      const prompt = `${mark} a cat ${chance.weighed(endings).words}`.trim()
      const isGone = prompt.includes('[gone]')
      const order: Order = { mark, person, command, prompt, isGone, count: 1, offers: new Map() }
      orders.set(mark, order)
      return order
    },
  }
}

export const marksIn = (text: string): readonly string[] => text.match(/o\d{5}x/g) ?? []
