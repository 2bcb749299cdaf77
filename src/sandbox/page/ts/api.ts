// The sandbox over HTTP. The answers are not parsed again: page and sandbox are one version, and both are compiled against the same
// declarations.

import type { SeenMessage } from '../../telegram/events.ts'
import type { Language, UsersApi } from '../../users/api.ts'

export type { BotCommand, InlineKeyboardButton, MessageEntity, User } from 'grammy/types'
export type { AskedAnswer, CallbackAnswer, Draft, OfferedResult } from '../../telegram/events.ts'
export type { BotProfile as Bot, ChatView as Chat, FileToSend, Language } from '../../users/api.ts'
export type { SeenMessage as Message }

export interface Api extends UsersApi {
  'GET /api/languages': { answer: readonly Language[]; body: unknown }
}
export type SentMessage = Omit<UsersApi['POST /api/chats/:chatId/messages']['body'], 'from'>

/** The sandbox refused a request, or could not be reached. The message is for the user. */
export class ApiError extends Error {}

/** @param body the query of a GET */
export async function request<K extends keyof Api>(
  call: K,
  body?: Api[K]['body'],
  chatId = 0,
): Promise<Api[K]['answer']> {
  const [method = '', path = ''] = call.split(' ')
  const address = path.replace(':chatId', String(chatId))
  const isRead = method === 'GET'
  const query = isRead && body ? `?${new URLSearchParams(Object.entries(body))}` : ''
  const headers = { 'content-type': 'application/json' }
  const init = isRead || !body ? { method } : { method, headers, body: JSON.stringify(body) }
  const response = await fetch(address + query, init).catch((cause: Error) => {
    throw new ApiError(cause.message, { cause })
  })
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer
  throw new ApiError(answer?.error ?? `${response.status} ${response.statusText}`)
}

export const fileUrl = (fileId: string): string => `/api/files/${encodeURIComponent(fileId)}`

export const fullName = (one: Partial<Record<'first_name' | 'last_name' | 'title', string | undefined>>) =>
  `${one.first_name ?? one.title ?? ''} ${one.last_name ?? ''}`.trim()

export const wordsOf = ({ text, caption }: Partial<SeenMessage>): string => text ?? caption ?? ''

export const inlineRows = ({ reply_markup: markup }: SeenMessage) =>
  markup && 'inline_keyboard' in markup ? markup.inline_keyboard : []

/** An event of an element, whose handler uses the element. */
export type On<E extends Element = Element, T extends Event = Event> = T & { readonly currentTarget: E }
