// What a person sees of orders in a chat.

import type { Message } from 'grammy/types'
import { type Chat, wordsOf } from './chats.ts'
import { marksIn, type Order, type OrderBook } from './orders.ts'

export interface AboutOrder {
  readonly message: Message
  /** The first one with the prompt that the message shows. */
  readonly order: Order
}

/** All messages of the bot that show a prompt, the newest last. */
export function messagesAbout({ orders }: OrderBook, { shown }: Chat): readonly AboutOrder[] {
  return [...shown.values()].flatMap(({ message, isGone }) => {
    const order = orders.get(marksIn(wordsOf(message))[0] ?? '')
    return order && !isGone && message.from?.is_bot === true ? [{ message, order }] : []
  })
}
