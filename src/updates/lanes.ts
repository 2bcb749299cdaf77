// Whose updates wait for one another: those of one chat, and those of one person wherever they write.

import type { Update } from 'grammy/types'

export interface Lanes {
  readonly chatId: number | undefined
  readonly personId: number | undefined
}

const noLane: Lanes = { chatId: undefined, personId: undefined }

/**
 * A checkout must be answered within seconds, and a Stop concerns an answer that is being written beside the handlers. A report
 * of money is handled until it succeeds, which may take a day, and must not hold up its payer's chat for that long.
 */
export function lanesOf(update: Update): Lanes {
  if (isAboutMoney(update)) return noLane
  const message = update.message ?? update.edited_message
  if (message) return { chatId: message.chat.id, personId: message.from?.id }
  const { callback_query: tap, my_chat_member: member } = update
  if (tap) return { chatId: tap.message?.chat.id, personId: tap.from.id }
  return member ? { chatId: member.chat.id, personId: member.from.id } : noLane
}

export const isAboutMoney = ({ message }: Update): boolean =>
  message?.successful_payment !== undefined || message?.refunded_payment !== undefined
