// The quote of a reply: a part of the replied-to message, with exactly its text and formatting.

import { isDeepStrictEqual } from 'node:util'
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

export const keptInQuotes = (entities: readonly MessageEntity[]): MessageEntity[] =>
  entities.filter((one) => kept.includes(one.type))

interface WantedQuote {
  text: string
  /** If left out, the quote has the formatting of the message, as when a user selects text. */
  entities?: readonly MessageEntity[] | undefined
  /** When the text occurs several times, the occurrence nearest to this offset is quoted. */
  position?: number | undefined
}

function places(text: string, part: string, near: number): number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at)
  return found.sort((a, b) => Math.abs(a - near) - Math.abs(b - near))
}

/** @returns undefined when the message does not contain the quote */
export function findQuote(message: ChatMessage, wanted: WantedQuote): TextQuote | undefined {
  const { text, entities: all } = wordsOf(message)
  if (wanted.text === '' || [...wanted.text].length > limit) return undefined
  const own = keptInQuotes(all)
  for (const position of places(text, wanted.text, wanted.position ?? 0)) {
    const entities = cut(own, position, position + wanted.text.length)
    if (wanted.entities && !isDeepStrictEqual(entities, [...wanted.entities])) continue
    return { text: wanted.text, position, is_manual: true, ...(entities.length > 0 && { entities }) }
  }
  return undefined
}

/** The quote that the server adds to a reply in another chat. */
export function wholeQuote(message: ChatMessage): TextQuote | undefined {
  const text = [...wordsOf(message).text].slice(0, limit).join('')
  return text === '' ? undefined : { text, position: 0 }
}
