// Inline queries of users: a query is typed in a chat, the bot answers it, and one of the results is sent.

import type { InlineQuery, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { inlineQueries, keepAnswer } from '../telegram/inline.ts'
import type { AskedAnswer, InlineAnswer } from '../telegram/inline-answer.ts'
import { botUser, type TelegramServer } from '../telegram/server.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import { complain } from './route.ts'
import { type Place, send } from './writing.ts'

interface Query {
  readonly query: string
  readonly offset: string
}

interface Cached {
  readonly answer: InlineAnswer
  /** In milliseconds of the clock. */
  readonly until: number
}

/** Answers that Telegram gives to a repeated query of the same user itself. */
const caches = new WeakMap<TelegramServer, Map<string, Cached>>()

const cacheOf = (server: TelegramServer): Map<string, Cached> => {
  const cache = caches.get(server) ?? new Map<string, Cached>()
  caches.set(server, cache)
  return cache
}

const keyOf = ({ query, offset }: Query, userId: number) => JSON.stringify([query, offset, userId])

function cachedAnswer(server: TelegramServer, user: User, query: Query): InlineAnswer | undefined {
  const found = cacheOf(server).get(keyOf(query, user.id))
  return found && found.until > server.clock.now().getTime() ? found.answer : undefined
}

/** The type of the chat for the bot. A private chat here is always the one with the bot itself. */
const chatTypeOf = ({ chat }: ChatState): NonNullable<InlineQuery['chat_type']> =>
  chat.type === 'private' ? 'sender' : chat.type

async function askBot(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  asked: Query,
): Promise<InlineAnswer> {
  const chat_type = chatTypeOf(chat)
  const given = await inlineQueries.ask(server, (id) =>
    server.updates.push({ inline_query: { id, from, ...asked, chat_type } }),
  )
  if (!given) return complain('the bot did not answer the inline query in 10 seconds')
  const { cacheSeconds, ...answer } = given
  const until = server.clock.now().getTime() + cacheSeconds * 1000
  cacheOf(server).set(keyOf(asked, from.id), { answer, until })
  return answer
}

export async function askInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  asked: Query,
): Promise<AskedAnswer> {
  const answer = cachedAnswer(server, from, asked) ?? (await askBot(server, chat, from, asked))
  const query_id = randomDigits(server.random, 18)
  const kept = { ...answer, query_id, userId: from.id, query: asked.query }
  keepAnswer(server, kept)
  return kept
}

/** Sends the result as a message of the user. */
export function chooseInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  place: Place,
  { query_id, result_id }: { query_id: string; result_id: string },
): ChatMessage {
  const asked = server.state.inlineAnswers.find((one) => one.query_id === query_id && one.userId === from.id)
  const result = asked?.results.find(({ id }) => id === result_id)
  if (!asked || !result) return complain(`there is no result "${result_id}" to the query ${query_id}`, 404)
  const { content, reply_markup } = result
  const via_bot = botUser(server)
  return send(server, chat, from, place, { ...content, via_bot, ...(reply_markup && { reply_markup }) })
}
