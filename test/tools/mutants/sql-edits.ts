// Mistakes in the text of an SQL template: dropped conditions, comparisons that are off by one, dropped locks.

import { childrenOf, type Node } from '../../support/project/source.ts'
import type { Edit } from './edits.ts'

/** The template's text with the characters of embedded expressions replaced one by one, so that positions stay the same. */
function masked(text: string, quasi: Node): string {
  let shown = text.slice(quasi.start + 1, quasi.end - 1)
  for (const { start, end } of childrenOf(quasi, 'expressions')) {
    const from = text.lastIndexOf('${', start) - quasi.start - 1
    const to = text.indexOf('}', end) - quasi.start
    shown = shown.slice(0, from) + '$'.repeat(to - from) + shown.slice(to)
  }
  return shown
}

const replacements: readonly { kind: string; find: RegExp; put: (found: string) => string }[] = [
  { kind: 'shift a comparison in SQL', find: /(?<= )(<=|>=|<|>)(?= )/g, put: shifted },
  { kind: 'swap + and - in SQL', find: /(?<= )[+-](?= )/g, put: (sign) => (sign === '+' ? '-' : '+') },
  { kind: 'drop a row lock', find: /for (no key )?update( of \w+)?( skip locked)?/g, put: () => '' },
  { kind: 'drop on conflict', find: /on conflict( \([^)]*\))? do nothing/g, put: () => '' },
  { kind: 'negate exists', find: /\bnot exists\b/g, put: () => 'exists' },
  { kind: 'negate is null', find: /\bis null\b/g, put: () => 'is not null' },
  { kind: 'negate is not null', find: /\bis not null\b/g, put: () => 'is null' },
  { kind: 'swap least and greatest', find: /\bleast(?=\()/g, put: () => 'greatest' },
  { kind: 'swap least and greatest', find: /\bgreatest(?=\()/g, put: () => 'least' },
]

function shifted(comparison: string): string {
  return comparison.endsWith('=') ? comparison.slice(0, -1) : `${comparison}=`
}

export function* sqlEdits(text: string, quasi: Node): Generator<Edit> {
  const shown = masked(text, quasi)
  const at = (start: number, end: number) => ({ start: quasi.start + 1 + start, end: quasi.start + 1 + end })
  for (const { kind, find, put } of replacements) {
    for (const { 0: found, index } of shown.matchAll(find))
      yield { kind, ...at(index, index + found.length), put: put(found) }
  }
  for (const { word, start, end } of conditionsIn(shown)) {
    const put = word === 'or' ? 'false' : 'true'
    if (shown.slice(start, end) !== put)
      yield { kind: `drop a condition after ${word}`, ...at(start, end), put }
  }
}

interface Condition {
  /** The keyword before the condition. */
  readonly word: string
  readonly start: number
  readonly end: number
}

/** The keywords before conditions. `on conflict`, and the `and` of `between`, do not begin a condition. */
const opening = /\b(where|on(?! conflict)|having|and|or|filter \(where)\s+/g
const closing =
  /^\s*(and|or|where|order by|group by|having|limit|offset|for (no key )?update|returning|union|on|then|else|end|when|set|from|join|left|inner|cross|window|as|do)\b/

function* conditionsIn(shown: string): Generator<Condition> {
  for (const { 0: found, 1: word = '', index } of shown.matchAll(opening)) {
    const start = index + found.length
    const end = endOf(shown, start)
    const isBound = word === 'and' && /\bbetween\s+\S+\s+$/.test(shown.slice(0, index))
    if (!isBound && end > start) yield { word, start, end }
  }
}

/** The end of a condition: the next clause, comma or closing parenthesis of the same nesting level. */
function endOf(shown: string, start: number): number {
  let depth = 0
  for (let at = start; at < shown.length; at += 1) {
    const character = shown[at]
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    const isOver = depth < 0 || (depth === 0 && (character === ',' || endsAt(shown, at)))
    if (isOver) return start + shown.slice(start, at).trimEnd().length
  }
  return start + shown.slice(start).trimEnd().length
}

/** Whether the next clause begins at this position, which must be white space. @param at the position of the white space */
const endsAt = (shown: string, at: number): boolean =>
  /\s/.test(shown[at] ?? '') &&
  closing.test(shown.slice(at, at + 40)) &&
  !/\bbetween\s+\S+$/.test(shown.slice(0, at))
