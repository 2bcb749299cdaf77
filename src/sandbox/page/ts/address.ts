// The address of the page, which names the open user, chat and bot.

import { otherBot } from './api.ts'

/** Reads the ending `#user/chat` or `#user/chat/bot` of the address, so a reload, a link and each tab keep their own chat. */
export function addressed(): { userId: number; chatId: number; botId: number | undefined } {
  const [userId = 0, chatId = 0, botId] = location.hash.slice(1).split('/').map(Number)
  return { userId, chatId, botId }
}

/** The part of the address after the #. */
export const placeOf = (userId: number, chatId: number, botId = otherBot) =>
  [userId, chatId, botId].filter((one) => one !== undefined).join('/')
