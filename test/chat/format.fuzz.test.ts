// A corpus of difficult model outputs, and fuzz tests with Markdown from a grammar (complete, truncated, damaged) and with random
// markers: no word is lost, repeated or moved, and every message can be sent. A failing run prints its seed.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatAnswer, formatThinking, previewOf } from '../../src/chat/format/answer.ts'
import { renderMarkdown } from '../../src/chat/format/markdown.ts'
import type { Piece } from '../../src/db/schema.ts'
import { messageLimit } from '../../src/texts.ts'
import { runs } from '../support/runs.ts'
import { expectSendable, fewerLetters, missingLetters, visible } from '../support/telegram/chat-format.ts'
import { hostile, isReordered } from '../support/telegram/hostile.ts'

/** A placeholder that a numbered word replaces, so that every word is unique. */
const word = '\ue000'
const numbered = (markdown: string) => {
  let at = 0
  return markdown.replaceAll(word, () => `w${at++}w`)
}
const wordsOf = (text: string) => text.match(/w\d+w/g) ?? []

const pieces = fc.constantFrom(
  word,
  word,
  `${word} `,
  ...['я', '👩‍👩‍👧‍👦', '\u0301', ' ', ', ', '(', ')', '. ', '汉'],
)
const plain = fc.array(pieces, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
const url = fc.constantFrom('https://b.co/a_(b)_c', 'http://x.ru', 'tg://resolve?domain=x', '/rel', '')

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: plain, weight: 4 },
    { arbitrary: fc.tuple(tie('inline'), tie('inline')).map(([a, b]) => `${a} ${b}`), weight: 3 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('*', '**', '_', '__', '~~', '||', '***'), tie('inline'))
        .map(([mark, inside]) => mark + inside + mark),
      weight: 3,
    },
    {
      arbitrary: fc.tuple(fc.constantFrom('`', '``'), plain).map(([tick, code]) => tick + code + tick),
      weight: 1,
    },
    { arbitrary: fc.tuple(tie('inline'), url).map(([text, to]) => `[${text}](${to})`), weight: 2 },
    {
      arbitrary: fc.constantFrom('<b>', '</b>', '<br>', '&lt;', '\\*', '$x^2$', '$5', '@b', '#t'),
      weight: 1,
    },
  ),
}))

const line = inline.map((text) => text.replaceAll('\n', ' '))
const lines = fc.array(line, { minLength: 1, maxLength: 5 })
const fence = fc
  .tuple(fc.constantFrom('```', '~~~', '````'), fc.constantFrom('', 'js', 'py'), lines)
  .map(([mark, language, code]) => `${mark}${language}\n${code.join('\n')}\n${mark}`)
const table = fc
  .array(fc.tuple(plain, plain), { minLength: 1, maxLength: 5 })
  .map((rows) => rows.map(([a, b]) => `| ${a} | ${b} |`))
  // Short headers keep the table in columns: a table shown as records repeats the column names in each row.
  .map(([header = '', ...rows]) => [header.slice(0, 40), '|---|---|', ...rows].join('\n'))
const item = fc
  .tuple(fc.nat({ max: 12 }), fc.constantFrom('- ', '* ', '1. ', '2) ', '- [ ] ', '- [x] '), line)
  .map(([level, marker, text]) => '  '.repeat(level) + marker + text)
const block = fc.oneof(
  lines.map((all) => all.join('\n')),
  line.map((text) => `## ${text}`),
  fc.array(item, { minLength: 1, maxLength: 8 }).map((all) => all.join('\n')),
  fence,
  fc
    .oneof(
      lines,
      fence.map((code) => code.split('\n')),
    )
    .map((all) => all.map((text) => `> ${text}`).join('\n')),
  fc.constant('---'),
  fc.tuple(plain, fc.nat({ max: 900 })).map(([text, times]) => `${text} `.repeat(times)),
)
const gap = fc.constantFrom('\n\n', '\n', '\r\n\r\n', '\n\n\n')
const documents = fc
  .array(fc.tuple(block, gap), { minLength: 1, maxLength: 12 })
  .map((blocks) => numbered(blocks.flat().join('')))

function expectAllSendable(pieces: readonly Piece[]): void {
  for (const piece of pieces) if (piece.kind === 'text') expectSendable(piece)
}

function expectSendablePreview(markdown: string): void {
  const preview = previewOf(markdown)
  if (preview.text !== '') expectSendable(preview)
}

function check(markdown: string): Piece[] {
  const all = formatAnswer(markdown)
  expectAllSendable(all)
  expectSendablePreview(markdown)
  return all
}

it('Markdown from a grammar, complete or truncated: no word is lost, repeated or moved', () => {
  fc.assert(
    fc.property(
      documents,
      fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
      (markdown, share) => {
        const cut = markdown.slice(0, Math.floor(markdown.length * share))
        expect(wordsOf(visible(check(cut)))).toEqual(wordsOf(cut))
      },
    ),
    { numRuns: runs(300) },
  )
})

it('the preview of a long text is the end of the whole text', () => {
  const long = fc.array(documents, { minLength: 1, maxLength: 8 }).map((all) => all.join('\n\n'))
  fc.assert(
    fc.property(long, (markdown) => {
      const [whole] = renderMarkdown(markdown, { isUnfinished: true })
      const text = whole && 'marks' in whole ? whole.text.replace(/[ \n]+$/, '') : ''
      const shown = previewOf(markdown).text
      if (text.length > messageLimit) expect(shown.length).toBeGreaterThan(messageLimit * 0.8)
      expect(text.endsWith(shown.replace(/^(…\n)?[ \u00a0]*/, ''))).toBe(true)
    }),
    { numRuns: runs(80) },
  )
})

const marks =
  '* ** *** _ __ ~~ || | ` `` ``` ~~~ [ ] ]( ( ) ![ < > --- === |-|-| $ $$ \\ \\( \\[ &amp; <br> </b> http://b.co . : [^1]'
const spaces = ['# ', '- ', '1. ', '> ', '    ', '\t', ' ', '\n', '\n\n', '\r\n', '- [ ] ']
const odd = ['👩‍👩‍👧', '\u0301', '\u200d', '\u202e', '\0', '\ud83d']
const soup = [...marks.split(' '), ...spaces, ...odd, word, word, word, word, ` ${word} `]

/** Puts marks before words. */
const damagedBy = (marks: readonly (readonly [number, string])[], markdown: string) =>
  marks.reduce((text, [share, mark]) => {
    const words = [...text.matchAll(/w\d+w/g)]
    const at = words[Math.floor(share * words.length)]?.index ?? 0
    return text.slice(0, at) + mark + text.slice(at)
  }, markdown)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const damages = fc.array(fc.tuple(share, fc.constantFrom(...soup.filter((one) => !one.includes(word)))), {
  maxLength: 8,
})

it.each<[string, fc.Arbitrary<string>, number]>([
  ['tables', table.map(numbered), 100],
  ['damaged Markdown', fc.tuple(damages, documents).map(([marks, text]) => damagedBy(marks, text)), 150],
  [
    'random markers',
    fc.array(fc.constantFrom(...soup), { maxLength: 120 }).map((all) => numbered(all.join(''))),
    1000,
  ],
])('%s: no word is lost', (_, markdowns, numRuns) => {
  fc.assert(
    fc.property(markdowns, (markdown) => {
      const seen = new Set(wordsOf(visible(check(markdown))))
      expect(wordsOf(markdown).filter((one) => !seen.has(one))).toEqual([])
      expectAllSendable(formatThinking(markdown, 'T'))
    }),
    { numRuns: runs(numRuns) },
  )
})

it('every difficult output is formatted without losing a letter, shown while it is streaming, and formatted as thinking', () => {
  expect(hostile.length).toBeGreaterThan(380)
  const failed = hostile.flatMap(([name, markdown]) => {
    try {
      checkDifficult(name, markdown)
      return []
    } catch (error) {
      return [`${name}: ${error}`]
    }
  })
  expect(failed).toEqual([])
})

function checkDifficult(name: string, markdown: string): void {
  const pieces = formatAnswer(markdown)
  expectAllSendable(pieces)
  const seen = visible(pieces)
  if (isReordered(name)) expect(fewerLetters(markdown, seen)).toEqual([])
  else expect(missingLetters(markdown, seen)).toBe('')
  for (const share of [0.3, 0.7])
    expectSendablePreview(markdown.slice(0, Math.floor(markdown.length * share)))
  const thinking = formatThinking(markdown, 'Reasoning')
  expectAllSendable(thinking)
  if (thinking[0]?.kind === 'text') expect(thinking[0].entities[0]?.type).toBe('expandable_blockquote')
}
