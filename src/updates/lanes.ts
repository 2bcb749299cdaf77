// Lanes: updates of one chat are handled one after another, and so are updates of one person in all chats.

import type { Update } from 'grammy/types'

interface Lanes {
  readonly chatId: number | undefined
  readonly personId: number | undefined
}

const noLane: Lanes = { chatId: undefined, personId: undefined }

/**
 * Updates without a lane wait for no other update. A pre-checkout query must be answered within seconds. A payment is retried until it
 * succeeds, which may take a day, and must not block the payer's chat for that long. An inline query changes nothing and expires soon.
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
