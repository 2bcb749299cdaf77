// The orders of all people. Each has a mark in its prompt, by which it is found at the gateway, in the chat and in the database.

import type { Chance } from '../chance.ts'

export interface Order {
  /** Like `o00042x`. */
  readonly mark: string
  readonly person: number
  readonly command: 'image' | 'music' | 'speech'
  readonly prompt: string
  /** Generate was tapped. */
  isTapped: boolean
}

export interface OrderBook {
  readonly orders: ReadonlyMap<string, Order>
  add(person: number, chance: Chance): Order
}

/** Words of the prompt that make the local gateway end the task in another way than completely. */
const endings = [
  { weight: 76, words: '' },
  { weight: 7, words: '[fail]' },
  { weight: 4, words: '[cancel]' },
  { weight: 8, words: '[partial]' },
  { weight: 2, words: '[stuck]' },
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
      const order: Order = { mark, person, command, prompt, isTapped: false }
      orders.set(mark, order)
      return order
    },
  }
}

export const marksIn = (text: string): readonly string[] => text.match(/o\d{5}x/g) ?? []
