// The sandbox over HTTP, one function for each request of the page. The only file that knows the addresses. The answers
// are not parsed again: page and sandbox are one version, and both are compiled against the same declarations.

import type { BotCommand, InlineKeyboardButton, MessageEntity, User } from 'grammy/types'
import type { NewFault, ScriptedFault } from '../../fault-schema.ts'
import type { Account } from '../../gateway/account.ts'
import type { Draft, ReplyKeyboard, SeenMessage } from '../../telegram/events.ts'
import type { AskedAnswer, OfferedResult } from '../../telegram/inline-answer.ts'
import type {
  BotProfile as Bot,
  ChatView as Chat,
  FileToSend,
  Language,
  PaymentResult,
  UsersApi,
} from '../../users/api.ts'

export type {
  AskedAnswer as InlineAnswer,
  Bot,
  BotCommand,
  Chat,
  Draft,
  FileToSend,
  InlineKeyboardButton,
  MessageEntity,
  NewFault,
  OfferedResult as InlineResult,
  PaymentResult,
  ReplyKeyboard,
  ScriptedFault,
  SeenMessage as Message,
  User,
}

interface Api extends UsersApi {
  'GET /api/gateway/account': { answer: ReturnType<Account['state']>; body: unknown }
  'GET /api/languages': { answer: readonly Language[]; body: unknown }
  'GET /api/faults': { answer: readonly ScriptedFault[]; body: unknown }
  'POST /api/faults': { answer: readonly ScriptedFault[]; body: NewFault }
  'DELETE /api/faults': { answer: readonly ScriptedFault[]; body: unknown }
}
export type SentMessage = UsersApi['POST /api/chats/:chatId/messages']['body']
type Call = keyof Api
type Body<K extends Call> = Api[K]['body']

/** The sandbox refused a request, or could not be reached. The message is for the user. */
export class ApiError extends Error {}

/** The sandbox could not be reached, so the request has probably not arrived. */
export class Unreachable extends ApiError {}

/** Ignores a refusal, which the user has seen already; any other error is a fault of the page and stays unhandled. */
export const ignoreRefusal = (promise: Promise<unknown>): void =>
  void promise.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })

async function request<K extends Call>(
  call: K,
  { chatId, query, body }: { chatId?: number; query?: Body<K> & object; body?: Body<K> } = {},
): Promise<Api[K]['answer']> {
  const [method = '', path = ''] = call.split(' ')
  const address = path.replace(':chatId', encodeURIComponent(chatId ?? ''))
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const search = query === undefined ? '' : `?${searchOf(query)}`
  const response = await fetch(address + search, init).catch(unreachable)
  if (!response.ok) throw new ApiError(await reasonOf(response))
  return response.json().catch((cause: Error) => {
    throw new ApiError(cause.message, { cause })
  })
}

function unreachable(cause: Error): never {
  throw new Unreachable(cause.message, { cause })
}

async function reasonOf(response: Response): Promise<string> {
  const answer: { error?: string } | undefined = await response.json().catch(() => undefined)
  return answer?.error ?? `${response.status} ${response.statusText}`
}

const searchOf = (query: object) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))

const readChat =
  <K extends Call>(call: K) =>
  (chatId: number) =>
    request(call, { chatId })

const postToChat =
  <K extends Call>(call: K) =>
  (chatId: number, body: Body<K>) =>
    request(call, { chatId, body })

export const api = {
  bot: () => request('GET /api/bot'),
  users: () => request('GET /api/users'),
  createUser: (body: Body<'POST /api/users'>) => request('POST /api/users', { body }),
  chats: () => request('GET /api/chats'),
  createGroup: (body: Body<'POST /api/chats'>) => request('POST /api/chats', { body }),
  messages: readChat('GET /api/chats/:chatId/messages'),
  drafts: readChat('GET /api/chats/:chatId/drafts'),
  commands: (query: Body<'GET /api/commands'>) => request('GET /api/commands', { query }),
  createTopic: postToChat('POST /api/chats/:chatId/topics'),
  send: postToChat('POST /api/chats/:chatId/messages'),
  tap: postToChat('POST /api/chats/:chatId/taps'),
  pay: postToChat('POST /api/chats/:chatId/payments'),
  edit: postToChat('POST /api/chats/:chatId/edits'),
  deleteMessage: postToChat('POST /api/chats/:chatId/deletions'),
  askInline: postToChat('POST /api/chats/:chatId/inline'),
  chooseInline: postToChat('POST /api/chats/:chatId/choices'),
  block: postToChat('POST /api/chats/:chatId/block'),
  stop: postToChat('POST /api/chats/:chatId/stop'),
  account: () => request('GET /api/gateway/account'),
  languages: () => request('GET /api/languages'),
  faults: () => request('GET /api/faults'),
  addFault: (body: NewFault) => request('POST /api/faults', { body }),
  clearFaults: () => request('DELETE /api/faults'),
}

export const fileUrl = (fileId: string): string => `/api/files/${encodeURIComponent(fileId)}`
/** The address of the events of a chat that this user sees, and of notices about changes in other chats. */
export const eventsUrl = (chatId: number, userId: number): string =>
  `/api/chats/${encodeURIComponent(chatId)}/events?others=true&user=${encodeURIComponent(userId)}`
