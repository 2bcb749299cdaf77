// What Telegram does with a text, after tdlib (MessageEntity.cpp), and what a reader sees of a message. Tests of the formatting of model
// answers compare with it.

import { expect } from 'vitest'
import type { Entity, Formatted, Piece } from '../../../src/db/schema.ts'
import { checkedLink } from '../../../src/sandbox/telegram/html.ts'

const rangeOf = (entity: Entity) => ({ entity, start: entity.offset, end: entity.offset + entity.length })

/** The text as Telegram stores it. */
function telegramText(text: string, entities: readonly Entity[]): string {
  const clean = text
    .replace(/[\r\u2028-\u202e]|\u0333|\u033f|\u030a/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram turns exactly these into spaces.
    .replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g, ' ')
  let end = clean.length
  while (end > 0 && ' \n'.includes(clean.charAt(end - 1))) end--
  let start = 0
  const first = Math.min(end, ...entities.map(({ offset }) => offset))
  while (start < first && ' \n'.includes(clean.charAt(start))) start++
  return clean.slice(start, end)
}

const splitsPair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff

/** Checks that Telegram accepts the message, stores it unchanged, and shows something. */
export function expectSendable({ text, entities }: Formatted): void {
  expect(text.length).toBeLessThanOrEqual(4096)
  expect(text.isWellFormed()).toBe(true)
  expect(text).toMatch(/[^\s\u180e\u200b-\u200f\u2800\ufeff\ufffc]/u)
  expect(telegramText(text, entities)).toBe(text)
  expect(entities.length).toBeLessThanOrEqual(100)
  const misplaced = entities.filter((entity) => {
    const { start, end } = rangeOf(entity)
    if (entity.type === 'text_link' && checkedLink(entity.url) === undefined) return true
    return start < 0 || end <= start || end > text.length || splitsPair(text, start) || splitsPair(text, end)
  })
  expect(misplaced).toEqual([])
  expect(
    entities.reduce((sum, one) => sum + (one.type === 'text_link' ? one.url.length : 0), 0),
  ).toBeLessThan(4097)
  const ranges = entities.map(rangeOf)
  const crossed = ranges.filter((one, index) =>
    ranges.slice(index + 1).some((other) => other.start < one.end && one.end < other.end),
  )
  expect(crossed, 'an entity ends within another one').toEqual([])
}

function revealed({ text, entities }: Formatted): string {
  const notes = entities.map((entity): readonly [number, string] => {
    if (entity.type === 'text_link') return [entity.offset + entity.length, ` ${entity.url} `]
    return [entity.offset, entity.type === 'pre' ? ` ${entity.language ?? ''} ` : '']
  })
  return notes
    .toSorted(([a], [b]) => b - a)
    .reduce((shown, [at, note]) => shown.slice(0, at) + note + shown.slice(at), text)
    .replaceAll('☑', '☑x')
}

/** All content that a reader can see: the text, the targets of its links, the languages of its code. */
export const visible = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? revealed(piece) : `${piece.name} ${piece.text}`)).join('')

/** Removes markup that consists of letters from the source. */
const withoutLetterMarkup = (markdown: string): string =>
  markdown.replace(/<br\s{0,3}\/?>|&(amp|lt|gt|quot|apos|nbsp|#39);|(?<=\]\()mailto:/gi, '')

const lettersOf = (text: string): string[] =>
  text
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]/gu) ?? []

/** The first letters of the source that are missing in the shown text, compared in order; empty if no letter is missing. */
export function missingLetters(source: string, shown: string): string {
  const there = lettersOf(shown)
  let at = 0
  const letters = lettersOf(withoutLetterMarkup(source))
  for (const [index, letter] of letters.entries()) {
    while (at < there.length && there[at] !== letter) at++
    if (at++ >= there.length) return letters.slice(index, index + 30).join('')
  }
  return ''
}

/** The letters that occur less often in the shown text than in the source, for texts whose parts may be reordered. */
export function fewerLetters(source: string, shown: string): string[] {
  const count = (letters: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    return counts
  }
  const there = count(lettersOf(shown))
  return [...count(lettersOf(withoutLetterMarkup(source)))]
    .filter(([one, n]) => (there.get(one) ?? 0) < n)
    .map(([one]) => one)
}

const names: Readonly<Record<Entity['type'], string>> = {
  bold: 'b',
  italic: 'i',
  strikethrough: 's',
  spoiler: 'spoiler',
  code: 'code',
  pre: 'pre',
  text_link: 'a',
  blockquote: 'quote',
  expandable_blockquote: 'folded',
}

function attributeOf(entity: Entity): string {
  if (entity.type === 'text_link') return ` ${entity.url}`
  return entity.type === 'pre' && entity.language !== undefined ? ` ${entity.language}` : ''
}

/** A message in a readable form for tests: entities as tags, the outer ones first. They are never parsed. */
export function tagged({ text, entities: sent }: Formatted): string {
  const entities = sent.toSorted((a, b) => a.offset - b.offset || b.length - a.length)
  const opens = (at: number) =>
    entities
      .filter(({ offset }) => offset === at)
      .map((entity) => `<${names[entity.type]}${attributeOf(entity)}>`)
  const closes = (at: number) =>
    entities
      .filter(({ offset, length }) => offset + length === at)
      .toReversed()
      .map((entity) => `</${names[entity.type]}>`)
  const places = Array.from({ length: text.length + 1 }, (_, at) => at)
  return places.map((at) => [...closes(at), ...opens(at), text.charAt(at)].join('')).join('')
}
