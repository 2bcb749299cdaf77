// The address of the page, which says who is open in which chat.

import { otherBot } from './api.ts'

/** The address ends with `#user/chat` or `#user/chat/bot`, so a reload, a link and each tab keep their own. */
export function addressed(): { userId: number; chatId: number; botId: number | undefined } {
  const [userId = 0, chatId = 0, botId] = location.hash.slice(1).split('/').map(Number)
  return { userId, chatId, botId }
}

/** What comes after the # of the address. */
export const placeOf = (userId: number, chatId: number, botId = otherBot) =>
  [userId, chatId, botId].filter((one) => one !== undefined).join('/')
