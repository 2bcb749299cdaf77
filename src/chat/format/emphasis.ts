// Pairs emphasis delimiters. Unlike in CommonMark punctuation beside them does not matter, since models write `**"word":**next`, and stars
// and underscores inside of words and numbers are literal (`2*3*4`, `__init__`).

import type { Style } from '../../db/schema.ts'

export interface Delimiter {
  readonly char: string
  readonly at: number
  readonly node: number
  /** Number of characters that are not used as markers yet. */
  length: number
  readonly run: number
  readonly canOpen: boolean
  readonly canClose: boolean
}

interface Pair {
  readonly open: Delimiter
  /** Undefined at the end of an unfinished text. */
  readonly close: Delimiter | undefined
  readonly type: Style
}

const isSpace = (char: string): boolean => char === '' || /\s/u.test(char)
const isDigit = (char: string): boolean => /\d/.test(char)
/** A letter or digit; not one of a script without spaces between words, where markers stand inside of words. */
const isOfWord = (char: string): boolean =>
  /[\p{L}\p{N}]/u.test(char) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
    char,
  )

export function delimiterAt(source: string, at: number, run: number, node: number): Delimiter {
  const char = source[at] ?? ''
  const before = [...source.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
  const [after = ''] = source.slice(at + run, at + run + 2)
  return { char, at, node, length: run, run, ...abilities(char, run, before, after) }
}

function abilities(char: string, run: number, before: string, after: string) {
  const [canOpen, canClose] = [!isSpace(after), !isSpace(before)]
  if (char === '~') return { canOpen, canClose }
  if (char !== '*' || run === 1)
    return { canOpen: canOpen && !isOfWord(before), canClose: canClose && !isOfWord(after) }
  const isPower = isDigit(before) && isDigit(after)
  return { canOpen: canOpen && !isPower, canClose: canClose && !isPower }
}

/** The most delimiters that wait to be closed, which keeps the work linear. */
const mostOpen = 200

/**
 * The pairs are properly nested; unpaired delimiters stay text.
 * @param isUnfinished the last open delimiter counts as closed at the end
 */
export function pairDelimiters(source: string, all: readonly Delimiter[], isUnfinished = false): Pair[] {
  const { pairs, waiting } = paired(source, all)
  return isUnfinished ? [...pairs, ...lastOf(waiting).map((open) => pair(open))] : pairs
}

const lastOf = (waiting: readonly Delimiter[]): readonly Delimiter[] =>
  waiting.filter(({ char, canClose, length }) => char !== '|' && !canClose && length > 0).slice(-1)

function paired(source: string, all: readonly Delimiter[]) {
  const pairs: Pair[] = []
  const waiting: Delimiter[] = []
  for (const close of all) {
    while (close.canClose && close.length > 0) {
      const at = waiting.findLastIndex(({ char, length }) => char === close.char && length > 0)
      const open = waiting[at]
      if (!open || isName(source, open, close)) break
      pairs.push(pair(open, close))
      waiting.length = open.length > 0 ? at + 1 : at
    }
    if (close.canOpen) waiting.push(close)
    if (waiting.length > mostOpen) waiting.shift()
  }
  return { pairs, waiting }
}

/** Whether the underscores belong to an identifier such as `__init__`. */
function isName(source: string, open: Delimiter, close: Delimiter): boolean {
  const start = open.at + open.run
  const isLong = open.run === 1 || close.at - start >= 40
  return open.char === '_' && !isLong && /^[a-z][a-z0-9_]*$/.test(source.slice(start, close.at))
}

const styles: Readonly<Record<string, Style>> = { '~': 'strikethrough', '|': 'spoiler' }

function pair(open: Delimiter, close?: Delimiter): Pair {
  const used = open.length > 1 && (close?.length ?? 2) > 1 ? 2 : 1
  open.length -= used
  if (close) close.length -= used
  return { open, close, type: styles[open.char] ?? (used === 2 ? 'bold' : 'italic') }
}
