// A corpus of difficult model outputs: every formatted answer satisfies the rules of the Bot API, and no word is lost.

import type { Bot } from 'grammy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatAnswer, formatThinking, previewOf } from '../../src/chat/format/answer.ts'
import { expectSendable, fewerLetters, missingLetters, visible } from '../support/telegram/chat-format.ts'
import { hostile, isReordered } from '../support/telegram/hostile.ts'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'
import { createUser } from '../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
beforeAll(async () => {
  local = await startTelegram()
  bot = local.bot()
  await (await createUser(local.url, { first_name: 'Anna', id: 11 })).sends('/start')
})
afterAll(() => local.discard())

it('the corpus of difficult outputs is not empty', () => {
  expect(hostile.length).toBeGreaterThan(380)
})

describe('every difficult output', () => {
  it.each(hostile)('is formatted without losing a letter: %s', (name, markdown) => {
    const pieces = formatAnswer(markdown)
    for (const piece of pieces) if (piece.kind === 'text') expectSendable(piece)
    if (isReordered(name)) expect(fewerLetters(markdown, visible(pieces))).toEqual([])
    else expect(missingLetters(markdown, visible(pieces))).toBe('')
  })

  it.each(hostile)('has a valid preview while it is streaming: %s', (_, markdown) => {
    for (const share of [0.3, 0.7, 1]) {
      const preview = previewOf(markdown.slice(0, Math.floor(markdown.length * share)))
      if (preview.text !== '') expectSendable(preview)
    }
  })

  it.each(hostile)('is formatted as thinking: %s', (_, markdown) => {
    const pieces = formatThinking(markdown, 'Reasoning')
    for (const piece of pieces) if (piece.kind === 'text') expectSendable(piece)
    const [first] = pieces
    if (first?.kind === 'text') expect(first.entities[0]?.type).toBe('expandable_blockquote')
  })

  it('is stored by the sandbox as it was sent', async () => {
    for (const [name, markdown] of hostile) {
      for (const piece of formatAnswer(markdown).slice(0, 3)) {
        if (piece.kind === 'file') continue
        const message = await bot.api.sendMessage(11, piece.text, { entities: [...piece.entities] })
        expect(message.text, name).toBe(piece.text)
        const kept = (message.entities ?? []).map(({ type, offset, length }) => `${type} ${offset} ${length}`)
        for (const { type, offset, length } of piece.entities) {
          expect(kept, name).toContain(`${type} ${offset} ${length}`)
        }
      }
    }
  })
})
