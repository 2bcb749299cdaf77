// Arranges marks like Telegram does: code and links are only inside quotes, marks of one type do not overlap, and styles are split where
// another mark starts. If Telegram did the splitting, the resulting entities could exceed its limit.

import { trimmedEnd, trimmedStart } from './characters.ts'
import type { Mark, Style } from './entity.ts'

const styles: readonly Style[] = ['bold', 'italic', 'strikethrough', 'spoiler']
const isStyle = ({ type }: Mark): boolean => styles.some((style) => style === type)
const isQuote = ({ type }: Mark): boolean => type === 'blockquote' || type === 'expandable_blockquote'
const isCode = ({ type }: Mark): boolean => type === 'pre' || type === 'code'

const order: Readonly<Record<Mark['type'], number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 11,
  code: 20,
  text_link: 49,
  bold: 90,
  italic: 91,
  strikethrough: 93,
  spoiler: 94,
}

export const sorted = (marks: readonly Mark[]): Mark[] =>
  marks.toSorted((a, b) => a.start - b.start || b.end - a.end || order[a.type] - order[b.type])

/** @returns undefined for a mark around white space only. Code, also inside a quote, keeps the indentation of its first line. */
export function trimmed(text: string, mark: Mark): Mark | undefined {
  const end = trimmedEnd(text, mark.start, mark.end)
  const start = mark.type === 'pre' || isQuote(mark) ? mark.start : trimmedStart(text, mark.start, end)
  return start < end ? { ...mark, start, end } : undefined
}

/** Drops marks that overlap an earlier one. Of two marks with the same range the link is kept, since code would remove the link. */
function apart(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = []
  const byPlace = marks.toSorted(
    (a, b) => a.start - b.start || b.end - a.end || Number(isCode(a)) - Number(isCode(b)),
  )
  for (const mark of byPlace) if (mark.start >= (result.at(-1)?.end ?? 0)) result.push(mark)
  return result
}

/** Merges overlapping and adjacent marks of one type. */
function merged(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = []
  for (const mark of sorted(marks)) {
    const last = result.at(-1)
    if (last && mark.start <= last.end) {
      result[result.length - 1] = { ...last, end: Math.max(last.end, mark.end) }
    } else result.push(mark)
  }
  return result
}

/** Splits the marks at sorted positions, and drops parts that start where code starts. */
function divided(marks: readonly Mark[], places: readonly number[], codeStarts: ReadonlySet<number>): Mark[] {
  const result: Mark[] = []
  let next = 0
  for (const mark of marks) {
    while ((places[next] ?? Number.POSITIVE_INFINITY) <= mark.start) next++
    let { start } = mark
    for (; (places[next] ?? mark.end) < mark.end; next++) {
      const end = places[next] ?? mark.end
      if (!codeStarts.has(start)) result.push({ ...mark, start, end })
      start = end
    }
    if (!codeStarts.has(start)) result.push({ ...mark, start })
  }
  return result
}

/** @returns sorted, properly nested marks of the text */
export function canonical(text: string, marks: readonly Mark[]): Mark[] {
  const solid = marks.map((mark) => trimmed(text, mark)).filter((mark) => mark !== undefined)
  const quotes = apart(solid.filter(isQuote))
  const continuous = apart(solid.filter((mark) => !isQuote(mark) && !isStyle(mark)))
  const byStyle = styles.map((style) => merged(solid.filter(({ type }) => type === style)))
  const edges = [...quotes, ...continuous].flatMap(({ start, end }) => [start, end])
  const places = [...new Set([...edges, ...byStyle.flat().map(({ start }) => start)])].sort((a, b) => a - b)
  const codeStarts = new Set(continuous.filter(isCode).map(({ start }) => start))
  const parts = byStyle.flatMap((one) => divided(one, places, codeStarts))
  const visible = parts.map((mark) => trimmed(text, mark)).filter((mark) => mark !== undefined)
  return sorted([...quotes, ...continuous, ...visible])
}
