// The words of a message as a text model reads them: hidden links, code and quotations, which Telegram keeps beside the text, are written into
// it as Markdown.

import type { Message, MessageEntity } from 'grammy/types'
import { entitiesIn, wordsIn } from '../../telegram/words.ts'

type Marked = Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>

export function markedWords(message: Marked): string {
  const words = wordsIn(message)
  const inserted = entitiesIn(message).flatMap((entity) => marksOf(entity, words))
  let marked = ''
  let from = 0
  for (const { at, mark } of inserted.toSorted((a, b) => a.at - b.at)) {
    marked += words.slice(from, at) + mark
    from = at
  }
  return marked + words.slice(from)
}

interface Insertion {
  readonly at: number
  readonly mark: string
}

function marksOf(entity: MessageEntity, words: string): Insertion[] {
  const { offset, length } = entity
  const end = offset + length
  switch (entity.type) {
    case 'text_link':
      return [
        { at: offset, mark: '[' },
        { at: end, mark: `](${entity.url})` },
      ]
    case 'pre':
      return fences(words, offset, end, entity.language)
    case 'blockquote':
    case 'expandable_blockquote':
      return lineStarts(words, offset, end).map((at) => ({ at, mark: '> ' }))
    default:
      return []
  }
}

function fences(words: string, start: number, end: number, language = ''): Insertion[] {
  const code = words.slice(start, end)
  // A fence is longer than any in the code.
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isLineStart = start === 0 || words[start - 1] === '\n'
  const isLineEnd = end === words.length || words[end] === '\n'
  return [
    { at: start, mark: `${isLineStart ? '' : '\n'}${fence}${language}\n` },
    { at: end, mark: `${code.endsWith('\n') ? '' : '\n'}${fence}${isLineEnd ? '' : '\n'}` },
  ]
}

const lineStarts = (words: string, start: number, end: number): number[] => [
  start,
  ...[...words.slice(start, end - 1).matchAll(/\n/g)].map(({ index }) => start + index + 1),
]
