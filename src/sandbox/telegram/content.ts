// The part of a message that is copied, and that a reply in another chat shows.

import type { Message } from 'grammy/types'
import { mediaKinds } from './media-kinds.ts'
import type { ChatMessage } from './state.ts'

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
  'caption',
  'caption_entities',
] satisfies (keyof Message)[]

/** @returns undefined for a message that cannot be copied: an invoice or a service message */
export function contentOf(message: ChatMessage): Partial<Message> | undefined {
  const kept = Object.entries(message).filter(([key]) => contentKeys.includes(key))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
