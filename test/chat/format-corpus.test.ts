// A corpus of difficult model outputs: every formatted answer satisfies the rules of the Bot API, and no word is lost.

import { expect, it } from 'vitest'
import { formatAnswer, formatThinking, previewOf } from '../../src/chat/format/answer.ts'
import type { Piece } from '../../src/chat/format/flow.ts'
import { expectSendable, fewerLetters, missingLetters, visible } from '../support/telegram/chat-format.ts'
import { hostile, isReordered } from '../support/telegram/hostile.ts'

function expectAllSendable(pieces: readonly Piece[]): void {
  for (const piece of pieces) if (piece.kind === 'text') expectSendable(piece)
}

it.each<[string, (markdown: string, name: string) => void]>([
  [
    'formatted without losing a letter',
    (markdown, name) => {
      const pieces = formatAnswer(markdown)
      expectAllSendable(pieces)
      if (isReordered(name)) expect(fewerLetters(markdown, visible(pieces))).toEqual([])
      else expect(missingLetters(markdown, visible(pieces))).toBe('')
    },
  ],
  [
    'shown by valid previews while it is streaming',
    (markdown) => {
      for (const share of [0.3, 0.7]) {
        const preview = previewOf(markdown.slice(0, Math.floor(markdown.length * share)))
        if (preview.text !== '') expectSendable(preview)
      }
    },
  ],
  [
    'formatted as thinking',
    (markdown) => {
      const pieces = formatThinking(markdown, 'Reasoning')
      expectAllSendable(pieces)
      if (pieces[0]?.kind === 'text') expect(pieces[0].entities[0]?.type).toBe('expandable_blockquote')
    },
  ],
])('every difficult output is %s', (_, check) => {
  expect(hostile.length).toBeGreaterThan(380)
  const failed = hostile.flatMap(([name, markdown]) => {
    try {
      check(markdown, name)
      return []
    } catch (error) {
      return [`${name}: ${error}`]
    }
  })
  expect(failed).toEqual([])
})
