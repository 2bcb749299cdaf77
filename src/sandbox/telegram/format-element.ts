// A formatted part of a text, as the parsers of HTML and Markdown find it.

export interface FormatElement {
  /** The name of the tag, as in HTML: `b`, `a`, `tg-spoiler`. */
  tag: string
  /** What the element refers to: a link, the language of code, the id of an emoji. */
  argument: string
  /** The time of a `tg-time`, in seconds. */
  unix: number
  /** In UTF-16 units, like the length. */
  offset: number
  length: number
}

export interface ParsedText {
  text: string
  /** Ordered by their ends, so an inner element precedes its outer one. */
  elements: FormatElement[]
}
