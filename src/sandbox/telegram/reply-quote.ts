// The quote of a reply: a part of the replied-to message, with exactly its text and formatting.

import type { MessageEntity, TextQuote } from 'grammy/types'
import { wordsOf } from './rich-words.ts'
import type { ChatMessage } from './state.ts'
import { cut } from './text.ts'

const limit = 1024
const kept: readonly MessageEntity['type'][] = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'custom_emoji',
  'date_time',
]

const keptInQuotes = (entities: readonly MessageEntity[]): MessageEntity[] =>
  entities.filter((one) => kept.includes(one.type))

/** @returns undefined when the message does not contain the quote */
export function findQuote(message: ChatMessage, wanted: string): TextQuote | undefined {
  const { text, entities: all } = wordsOf(message)
  const position = text.indexOf(wanted)
  if (position < 0 || [...wanted].length > limit) return undefined
  const entities = cut(keptInQuotes(all), position, position + wanted.length)
  return { text: wanted, position, is_manual: true, ...(entities.length > 0 && { entities }) }
}

/** The quote that the server adds to a reply in another chat. */
export function wholeQuote(message: ChatMessage): TextQuote | undefined {
  const text = [...wordsOf(message).text].slice(0, limit).join('')
  return text === '' ? undefined : { text, position: 0 }
}
