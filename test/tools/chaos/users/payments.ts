// The payments of all people, from their view.

import type { Message } from 'grammy/types'
import { wordsOf } from './chats.ts'

export interface Payment {
  readonly provider: 'stars' | 'yookassa'
  readonly charge: string
  readonly person: number
  /** The credit that the bot promised for the payment, in kopecks. */
  readonly credit: number
  /** The amount that the bot asked for, in Stars or kopecks. */
  readonly asked: number
}

/** Whether a message is a thanks like `✅ ₽50.00 added.` */
export const isThanks = (message: Message): boolean => /^✅ ₽[\d.,]+\D{0,2} added\./.test(wordsOf(message))
