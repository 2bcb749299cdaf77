// The payments of all people, as they know them.

import type { Message } from 'grammy/types'
import { wordsOf } from './chats.ts'

export interface Payment {
  readonly provider: 'stars' | 'yookassa'
  readonly charge: string
  readonly person: number
  /** What the bot promised for it, in kopecks. */
  readonly credit: number
  /** What the bot asked for: Stars, or kopecks. */
  readonly asked: number
}

/** Like `✅ ₽50.00 added.` */
export const isThanks = (message: Message): boolean => /^✅ ₽[\d.,]+\D{0,2} added\./.test(wordsOf(message))
