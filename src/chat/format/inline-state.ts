// The state of the inline parser: text nodes read so far, and marks on ranges of nodes.

import { shownText } from './characters.ts'
import type { Delimiter } from './emphasis.ts'
import type { Mark } from './entity.ts'
import { backtickPairs, finder, parenPairs } from './source.ts'

/** Addresses of link reference definitions, by normalized label. */
export type Definitions = ReadonlyMap<string, string>

export interface InlineOptions {
  readonly definitions: Definitions
  /** Inserted after each line end. */
  readonly indent?: string
  /** The text is still streaming: open markup is shown as if it were closed at the end. */
  readonly isUnfinished?: boolean
}

/** An open `[`. */
export interface Bracket {
  /** Index of its node; its content starts at the next one. */
  readonly node: number
  /** Index in the source after the bracket. */
  readonly at: number
  readonly isImage: boolean
  /** Number of delimiters before it. */
  readonly delimiters: number
  /** The bracket contains a link, and links cannot be nested. */
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
  /** Their positions are indexes of nodes. */
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

/** Adds a text node and continues at `end`. */
export function take(inline: Inline, text: string, end: number): true {
  inline.nodes.push(shownText(text))
  inline.at = end
  return true
}

/** Adds a node with inline code and continues at `end`. */
export function takeCode(inline: Inline, text: string, end: number): true {
  const node = inline.nodes.length
  inline.marks.push({ type: 'code', start: node, end: node + 1 })
  return take(inline, text, end)
}
