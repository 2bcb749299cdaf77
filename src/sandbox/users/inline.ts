// Inline queries of users: a query is typed in a chat, the bot answers it, and one of the results is sent.

import type { InlineQuery, User } from 'grammy/types'
import { randomDigits, randomText } from '../random.ts'
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

/** Answers that Telegram gives to a repeated query itself, also to other users unless the bot says that the answer is personal. */
const caches = new WeakMap<TelegramServer, Map<string, Cached>>()

const cacheOf = (server: TelegramServer): Map<string, Cached> => {
  const cache = caches.get(server) ?? new Map<string, Cached>()
  caches.set(server, cache)
  return cache
}

const keyOf = ({ query, offset }: Query, userId: number | 'all') => JSON.stringify([query, offset, userId])

function cachedAnswer(server: TelegramServer, user: User, query: Query): InlineAnswer | undefined {
  const cache = cacheOf(server)
  const found = cache.get(keyOf(query, user.id)) ?? cache.get(keyOf(query, 'all'))
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
  const { cacheSeconds, isPersonal, ...answer } = given
  const until = server.clock.now().getTime() + cacheSeconds * 1000
  cacheOf(server).set(keyOf(asked, isPersonal ? from.id : 'all'), { answer, until })
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

/** Sends the result as a message of the user, and tells the bot. */
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
  const message = send(server, chat, from, place, {
    ...content,
    via_bot,
    ...(reply_markup && { reply_markup }),
  })
  const inline_message_id = reply_markup && rememberInline(server, message)
  const chosen = { result_id, from, query: asked.query, ...(inline_message_id && { inline_message_id }) }
  server.updates.push({ chosen_inline_result: chosen })
  return message
}

/** Creates the id of an inline message with buttons. The bot knows the message by this id alone, without its chat. */
function rememberInline(server: TelegramServer, { chat, message_id }: ChatMessage): string {
  const id = `AgAAA${randomText(server.random, 22)}`
  server.state.inlineMessages[id] = { chatId: chat.id, messageId: message_id }
  return id
}
