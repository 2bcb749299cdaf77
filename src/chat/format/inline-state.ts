// A paragraph while it is read: what was read so far as nodes of text, and which of them are styled how.

import { shownText } from './characters.ts'
import type { Delimiter } from './emphasis.ts'
import type { Mark } from './entity.ts'
import { backtickPairs, finder, parenPairs } from './source.ts'

/** Addresses by the names that a text defines for them. */
export type Definitions = ReadonlyMap<string, string>

export interface InlineOptions {
  readonly definitions: Definitions
  /** Written after each line end. */
  readonly indent?: string
  /** The text is still being written: what is open shows as if it closed at the end. */
  readonly isUnfinished?: boolean
}

/** An opened `[`. */
export interface Bracket {
  /** Its node; what it holds begins behind. */
  readonly node: number
  /** In the source, behind the bracket. */
  readonly at: number
  readonly isImage: boolean
  /** How many delimiters stand before it. */
  readonly delimiters: number
  /** A link was closed inside, and links do not nest. */
  isDead: boolean
}

export interface PlacedDelimiter {
  readonly delimiter: Delimiter
  readonly node: number
}

export interface Inline {
  readonly source: string
  readonly options: InlineOptions
  at: number
  readonly nodes: string[]
  /** Their places are nodes. */
  readonly marks: Mark[]
  readonly delimiters: PlacedDelimiter[]
  readonly brackets: Bracket[]
  readonly backticks: ReturnType<typeof backtickPairs>
  readonly parens: ReturnType<typeof parenPairs>
  readonly find: ReturnType<typeof finder>
}

export const startInline = (source: string, options: InlineOptions): Inline => ({
  source,
  options,
  at: 0,
  nodes: [],
  marks: [],
  delimiters: [],
  brackets: [],
  backticks: backtickPairs(source),
  parens: parenPairs(source),
  find: finder(source),
})

/** Adds text as it is shown and goes on behind `end`. */
export function take(inline: Inline, text: string, end: number): true {
  inline.nodes.push(shownText(text))
  inline.at = end
  return true
}

/** The same, in the font of code. */
export function takeCode(inline: Inline, text: string, end: number): true {
  const node = inline.nodes.length
  inline.marks.push({ type: 'code', start: node, end: node + 1 })
  return take(inline, text, end)
}
