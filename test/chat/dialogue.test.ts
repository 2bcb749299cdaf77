// The size of a dialogue in tokens: for the hold, for the budget of past messages, for the shown price and for the bill.

import { expect, it } from 'vitest'
import { assemble, billedTokens, type Said, usualTokens } from '../../src/chat/dialogue.ts'

const picture = 'data:image/png;base64,AAAA'
/** A text that is held for as 10 tokens. */
const ten = 'x'.repeat(35)
const said = (role: Said['role'], images: readonly string[] = []): Said => ({ role, text: ten, images })
const question = said('user')

it.each([
  ['a question', undefined, question, 18],
  ['a persona and a question', ten, question, 36],
  ['a question with two pictures', undefined, said('user', [picture, picture]), 3018],
])(
  'the money for %s is held for its text, its pictures and 8 tokens per message',
  (_, system, asked, tokens) => {
    expect(assemble(system, [], asked, 10_000).tokens).toBe(tokens)
  },
)

it.each([
  ['that just fit', 54, 3, 54],
  ['without an answer whose question does not fit', 53, 1, 18],
])('a dialogue contains the past messages %s', (_, budget, messages, tokens) => {
  const dialogue = assemble(undefined, [said('user'), said('assistant')], question, budget)
  expect([dialogue.messages.length, dialogue.tokens]).toEqual([messages, tokens])
})

it('the bill and the shown price count the persona and all messages; a picture counts as 256 tokens in the bill and as 1500 in the shown price', () => {
  const text = (letters: number, images: readonly string[] = []): Said => ({
    role: 'user',
    text: 'a'.repeat(letters),
    images,
  })
  const dialogue = (images: readonly string[]) =>
    assemble('a'.repeat(470), [text(470), { ...text(470), role: 'assistant' }], text(470, images), 10_000)
  expect(usualTokens('gpt', dialogue([]))).toBe(400)
  expect(usualTokens('gpt', dialogue([picture, picture]))).toBe(3400)
  expect(billedTokens('gpt', dialogue([picture, picture]))).toBe(912)
})
