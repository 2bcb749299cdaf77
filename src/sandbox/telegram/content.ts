// The part of a message that is copied or forwarded with it.

import type { Message } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { mediaKinds } from './media-kinds.ts'
import { type Destination, post } from './post.ts'
import { refuse } from './refusal.ts'
import { chatOf, findMessage, type TelegramServer } from './server.ts'
import type { ChatMessage } from './state.ts'

export const captionKeys = ['caption', 'caption_entities', 'show_caption_above_media'] as const
const contentKeys: readonly string[] = [
  'text',
  'entities',
  'rich_message',
  ...mediaKinds,
  'contact',
  'location',
  'venue',
  'dice',
  'poll',
  'has_media_spoiler',
  ...captionKeys,
] satisfies (keyof Message)[]

/** @returns undefined for a message that cannot be copied: an invoice or a service message */
export function contentOf(message: ChatMessage): Partial<Message> | undefined {
  const kept = Object.entries(message).filter(([key]) => contentKeys.includes(key))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

function checkIds(ids: readonly number[]): void {
  if (ids.length === 0) refuse('message identifiers are not specified')
  if (ids.length > 100) refuse('too many message identifiers specified')
  if (ids.some((id) => id <= 0)) refuse('invalid message identifier specified')
}

/** The messages to copy or forward. Like Telegram, it leaves out deleted messages before all other checks. */
export function sourcesOf(
  server: TelegramServer,
  fromChatId: number | string,
  ids: readonly number[],
): ChatMessage[] {
  checkIds(ids)
  const from = chatOf(server, fromChatId)
  const found = ids.flatMap((id) => findMessage(from, id) ?? [])
  if (found.length === 0) refuse('there are no messages to forward')
  const isRising = found.every((one, at) => one.message_id > (found[at - 1]?.message_id ?? 0))
  if (!isRising) refuse('message identifiers must be in a strictly increasing order')
  return found
}

interface Item {
  readonly source: ChatMessage
  readonly content: Partial<Message>
}

/** Albums stay albums, with a new id; a single remaining item of an album becomes an ordinary message. */
export function postAll(server: TelegramServer, to: Destination, items: readonly Item[]): ChatMessage[] {
  if (items.length === 0) return refuse("messages can't be forwarded")
  const albums = Map.groupBy(items, ({ source }) => source.media_group_id)
  const albumIds = new Map(
    [...albums].flatMap(([id, members]) =>
      id !== undefined && members.length > 1 ? [[id, randomDigits(server.random, 17)]] : [],
    ),
  )
  return items.map(({ source, content }) => {
    const media_group_id = albumIds.get(source.media_group_id ?? '')
    return post(server, to, { ...content, ...(media_group_id !== undefined && { media_group_id }) })
  })
}
