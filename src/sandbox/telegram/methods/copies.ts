// Copying messages: the content goes to another chat, without the keyboard and without a reference to the original.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { randomDigits } from '../../random.ts'
import { type Methods, method } from '../method.ts'
import { bool, captionParams, chatId, int, json, messageId, str } from '../params.ts'
import { type Destination, destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { chatOf, findMessage, type TelegramServer } from '../server.ts'
import type { ChatMessage } from '../state.ts'
import { messageCaption } from '../text.ts'

const captionKeys = ['caption', 'caption_entities', 'show_caption_above_media'] as const
const contentKeys: readonly string[] = [
  'text',
  'entities',
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'has_media_spoiler',
  ...captionKeys,
] satisfies (keyof Message)[]

/** Undefined for what cannot be copied: invoices and service messages. */
function contentOf(message: ChatMessage): Partial<Message> | undefined {
  const kept = Object.entries(message).filter(([key]) => contentKeys.includes(key))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

function withCaption(content: Partial<Message>, caption: Partial<Message>): Partial<Message> {
  // A text has no caption; a new one is ignored.
  if (content.text !== undefined) return content
  const bare = { ...content }
  for (const key of captionKeys) delete bare[key]
  return { ...bare, ...caption }
}

/** Albums stay albums, with a new id; a single remaining item of an album becomes an ordinary message. */
function postAll(
  server: TelegramServer,
  to: Destination,
  sources: readonly ChatMessage[],
  withoutCaptions: boolean,
) {
  const copied = sources.flatMap((source) => {
    const content = contentOf(source)
    return content ? [{ source, content: withoutCaptions ? withCaption(content, {}) : content }] : []
  })
  if (copied.length === 0) return refuse("messages can't be forwarded")
  const albums = Map.groupBy(copied, ({ source }) => source.media_group_id)
  const albumIds = new Map(
    [...albums].flatMap(([id, items]) =>
      id !== undefined && items.length > 1 ? [[id, randomDigits(server.random, 17)]] : [],
    ),
  )
  return copied.map(({ source, content }) => {
    const media_group_id = albumIds.get(source.media_group_id ?? '')
    return post(server, to, { ...content, ...(media_group_id !== undefined && { media_group_id }) })
  })
}

function checkIds(ids: readonly number[]): void {
  if (ids.length === 0) refuse('message identifiers are not specified')
  if (ids.length > 100) refuse('too many message identifiers specified')
  if (ids.some((id) => id <= 0)) refuse('invalid message identifier specified')
}

const { reply_markup: _, ...plainSendParams } = sendParams

export const copies = {
  copyMessage: method(
    z.object({
      ...sendParams,
      ...captionParams,
      caption: str.optional(),
      from_chat_id: chatId,
      message_id: messageId,
    }),
    (server, params) => {
      const { caption } = params
      if (params.from_chat_id === '') refuse('parameter "from_chat_id" is required')
      const changed = caption === undefined ? undefined : messageCaption(server, { ...params, caption })
      const source = findMessage(chatOf(server, params.from_chat_id), params.message_id)
      const to = destination(server, params)
      const content =
        contentOf(source ?? refuse('message to copy not found')) ?? refuse("the message can't be copied")
      return { message_id: post(server, to, changed ? withCaption(content, changed) : content).message_id }
    },
  ),

  copyMessages: method(
    z.object({
      ...plainSendParams,
      from_chat_id: chatId,
      message_ids: json(z.array(int)),
      remove_caption: bool.optional(),
    }),
    (server, params) => {
      const { from_chat_id, message_ids } = params
      if (from_chat_id === '') refuse('parameter "from_chat_id" is required')
      checkIds(message_ids)
      const to = destination(server, params)
      const from = chatOf(server, from_chat_id)
      // Telegram leaves out deleted messages before it makes any other check.
      const found = message_ids.flatMap((id) => findMessage(from, id) ?? [])
      if (found.length === 0) refuse('there are no messages to forward')
      const isRising = found.every((one, at) => one.message_id > (found[at - 1]?.message_id ?? 0))
      if (!isRising) refuse('message identifiers must be in a strictly increasing order')
      const sent = postAll(server, to, found, params.remove_caption === true)
      return sent.map(({ message_id }) => ({ message_id }))
    },
  ),
} satisfies Methods
