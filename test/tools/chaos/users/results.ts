// The messages about orders that a person sees in a chat.

import type { Message } from 'grammy/types'
import { type Chat, wordsOf } from './chats.ts'
import { marksIn, type Order, type OrderBook } from './orders.ts'

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
