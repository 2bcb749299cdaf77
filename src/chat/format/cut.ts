// Cuts a part of a text with its entities into one message.

import { sorted, trimmed } from './canonical.ts'
import { trimmedEnd } from './characters.ts'
import type { Entity, Formatted, Mark } from './entity.ts'

/** A text of any length with sorted, properly nested marks. */
export interface Whole {
  readonly text: string
  readonly marks: readonly Mark[]
}

function entityOf({ type, start, end, url, language }: Mark, from = 0): Entity {
  const span = { offset: start - from, length: end - start }
  switch (type) {
    case 'pre':
      return language === undefined ? { type, ...span } : { type, ...span, language }
    case 'text_link':
      return { type, ...span, url: url ?? '' }
    default:
      return { type, ...span }
  }
}

/** Telegram trims leading spaces, which show the level of a list item; no-break spaces are kept. */
function keptIndent(text: string, entities: readonly Entity[]): string {
  const spaces = /^ */.exec(text)?.[0].length ?? 0
  const isSafe = entities.some(({ offset }) => offset === 0)
  return isSafe ? text : '\u00a0'.repeat(spaces) + text.slice(spaces)
}

/** @param marks must include all that overlap the part */
export function cutOut(
  { text }: Pick<Whole, 'text'>,
  marks: readonly Mark[],
  start: number,
  end: number,
): Formatted {
  const last = trimmedEnd(text, start, end)
  const inside = marks
    .filter((mark) => mark.start < last && mark.end > start)
    .map((mark) => ({ ...mark, start: Math.max(mark.start, start), end: Math.min(mark.end, last) }))
    .map((mark) => trimmed(text, mark))
    .filter((mark) => mark !== undefined)
  // Marks with different ends may have the same end after the cut.
  const entities = sorted(inside).map((mark) => entityOf(mark, start))
  return { text: keptIndent(text.slice(start, last), entities), entities }
}
