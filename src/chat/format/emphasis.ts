// Pairs emphasis delimiters by the algorithm of CommonMark. It is more tolerant where models write invalid emphasis (`**"word":**next`),
// and stricter where stars and underscores are literal (`2*3*4`, `__init__`).

import type { Style } from './flow.ts'

export interface Delimiter {
  readonly char: string
  /** Index in the source. */
  readonly at: number
  /** Number of characters that are not used as markers yet. */
  length: number
  readonly run: number
  readonly canOpen: boolean
  readonly canClose: boolean
}

interface Pair {
  readonly open: Delimiter
  readonly close: Delimiter
  readonly type: Style
}

const isSpace = (char: string): boolean => char === '' || /\s/u.test(char)
const isPunctuation = (char: string): boolean => /[\p{P}\p{S}]/u.test(char)
const isDigit = (char: string): boolean => /\d/.test(char)
const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char)
/** Scripts without spaces between words: markers inside of words are valid there. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

interface Sides {
  readonly before: string
  readonly after: string
}

function sidesOf(source: string, at: number, end: number): Sides {
  const low = source.charCodeAt(at - 1)
  const isPair = low >= 0xdc00 && low <= 0xdfff && at > 1
  const after = source.codePointAt(end)
  return {
    before: at === 0 ? '' : source.slice(isPair ? at - 2 : at - 1, at),
    after: after === undefined ? '' : String.fromCodePoint(after),
  }
}

type Abilities = Pick<Delimiter, 'canOpen' | 'canClose'>

function flanking({ before, after }: Sides): Abilities {
  return {
    canOpen: !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before)),
    canClose: !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after)),
  }
}

function abilities(char: string, run: number, sides: Sides): Abilities {
  const { before, after } = sides
  const loose = { canOpen: !isSpace(after), canClose: !isSpace(before) }
  if (char === '~') return loose
  if (char === '|') {
    return { canOpen: loose.canOpen && !isWord(before), canClose: loose.canClose && !isWord(after) }
  }
  const { canOpen, canClose } = flanking(sides)
  if (char === '_') {
    return {
      canOpen: canOpen && (!canClose || isPunctuation(before)),
      canClose: canClose && (!canOpen || isPunctuation(after)),
    }
  }
  if (run > 1) return isDigit(before) && isDigit(after) ? { canOpen: false, canClose: false } : loose
  const isInside = [before, after].every((side) => isWord(side) && !unspaced.test(side))
  return isInside ? { canOpen: false, canClose: false } : { canOpen, canClose }
}

export function delimiterAt(source: string, at: number, run: number): Delimiter {
  const char = source[at] ?? ''
  return { char, at, length: run, run, ...abilities(char, run, sidesOf(source, at, at + run)) }
}

/** CommonMark's rule of three for runs that can both open and close. */
const isOdd = (open: Delimiter, close: Delimiter): boolean =>
  (open.canClose || close.canOpen) && (open.run + close.run) % 3 === 0 && open.run % 3 !== 0

const isPartner = (open: Delimiter, close: Delimiter): boolean =>
  open.char === close.char && open.canOpen && open.length > 0 && !isOdd(open, close)

/** Whether the underscores belong to an identifier such as `__init__`. */
function isName(source: string, open: Delimiter, close: Delimiter): boolean {
  const start = open.at + open.run
  return open.char === '_' && close.at - start < 40 && /^[a-z][a-z0-9_]*$/.test(source.slice(start, close.at))
}

const styles: Readonly<Record<string, Style>> = { '~': 'strikethrough', '|': 'spoiler' }

function pair(open: Delimiter, close: Delimiter): Pair {
  const used = open.length > 1 && close.length > 1 ? 2 : 1
  open.length -= used
  close.length -= used
  return { open, close, type: styles[open.char] ?? (used === 2 ? 'bold' : 'italic') }
}

/** The pairs are properly nested; unpaired delimiters stay text. */
export function pairDelimiters(source: string, all: readonly Delimiter[]): Pair[] {
  const pairs: Pair[] = []
  /** Links to the previous candidate that skip used delimiters. */
  const previous = new Map<number, number>()
  const before = (index: number) => previous.get(index) ?? index - 1
  /** No opener of that kind is left below these indexes, which keeps the search linear. */
  const bottoms = new Map<string, number>()

  const openerOf = (close: Delimiter, index: number, bottom: number) => {
    for (let at = before(index); at > bottom; at = before(at)) {
      const open = all[at]
      if (open && isPartner(open, close)) return { open, at }
    }
    return undefined
  }

  const closeOnce = (close: Delimiter, index: number): boolean => {
    const kind = `${close.char}${close.canOpen}${close.run % 3}`
    const found = openerOf(close, index, bottoms.get(kind) ?? -1)
    if (!found) {
      bottoms.set(kind, before(index))
      return false
    }
    if (close.run > 1 && isName(source, found.open, close)) return false
    pairs.push(pair(found.open, close))
    previous.set(index, found.open.length > 0 ? found.at : before(found.at))
    return true
  }

  all.forEach((delimiter, index) => {
    while (delimiter.canClose && delimiter.length > 0 && closeOnce(delimiter, index));
    const mayOpen = delimiter.length > 0 && delimiter.canOpen
    if (!mayOpen) previous.set(index + 1, before(index))
  })
  return pairs
}

/** The last opened delimiter of an unfinished text, which is shown as if it were closed at the end. */
export function unfinished(
  all: readonly Delimiter[],
): { readonly open: Delimiter; readonly type: Style } | undefined {
  const open = all.findLast(({ char, canOpen, canClose, length }) => {
    return char !== '|' && canOpen && !canClose && length > 0
  })
  if (!open) return undefined
  const type = styles[open.char] ?? (open.length > 1 ? 'bold' : 'italic')
  open.length = Math.max(0, open.length - 2)
  return { open, type }
}
