// Splits a text of any length into messages: between blocks if possible, else between lines, else between words, and inside a word only
// when it is longer than a message.

import { messageLimit } from '../../texts.ts'
import { graphemeEnd, isBlank, trimmedEnd, trimmedStart } from './characters.ts'
import {
  type Entity,
  entityLimit,
  type Formatted,
  type Joint,
  type JointFlow,
  linksLimit,
  type Mark,
  type Style,
} from './flow.ts'

interface Splitting extends Whole {
  readonly joints: readonly Joint[]
  /** Positions between a heading and the following block. */
  readonly never: ReadonlySet<number>
  /** Indexes of the first mark and joint that are still relevant. */
  mark: number
  joint: number
}

/** The marks that overlap a range. */
function marksWithin(state: Splitting, start: number, end: number): Mark[] {
  const { marks } = state
  while ((marks[state.mark]?.end ?? start + 1) <= start) state.mark++
  const within: Mark[] = []
  for (let at = state.mark; at < marks.length; at++) {
    const mark = marks[at]
    if (!mark || mark.start >= end) break
    if (mark.end > start) within.push(mark)
  }
  return within
}

/** The largest end of a message that starts there, by the limits of length, entities and links. */
function reach({ text }: Splitting, within: readonly Mark[], start: number): number {
  let links = 0
  const full = within.find(({ url }, count) => {
    links += url?.length ?? 0
    return count >= entityLimit || links > linksLimit
  })
  return Math.min(text.length, start + messageLimit, full ? Math.max(full.start, start + 1) : text.length)
}

function lastJoint(state: Splitting, from: number, end: number): number | undefined {
  const { joints } = state
  while ((joints[state.joint]?.at ?? end) < from) state.joint++
  let line: number | undefined
  let gap: number | undefined
  for (let index = state.joint; (joints[index]?.at ?? end + 1) <= end; index++) {
    const joint = joints[index]
    if (joint?.rank === 'gap') gap = joint.at
    if (joint && joint.rank !== 'never') line = joint.at
  }
  return gap ?? line
}

const isWhole = ({ type }: Mark): boolean => type === 'code' || type === 'text_link'
/** A combining mark or joiner after white space belongs to it. */
const joins = /^[\p{M}\u200d]/u

/** The last space or line end in a range, outside of links and inline code. */
function lastBreak(
  state: Splitting,
  within: readonly Mark[],
  char: ' ' | '\n',
  from: number,
  end: number,
): number | undefined {
  const { text, never } = state
  for (let at = text.lastIndexOf(char, end); at >= from; at = text.lastIndexOf(char, at - 1)) {
    const around = within.find((mark) => isWhole(mark) && mark.start < at && at < mark.end)
    if (around) {
      at = around.start
      continue
    }
    if (!joins.test(text.slice(at + 1, at + 3)) && !never.has(at + 1)) return at
  }
  return undefined
}

function cutBefore(state: Splitting, within: readonly Mark[], start: number, end: number): number {
  const behind = (share: number) => start + Math.max(1, Math.floor((end - start) * share))
  const inPart = within.filter((mark) => mark.start < end)
  return (
    lastJoint(state, behind(0.5), end) ??
    lastBreak(state, inPart, '\n', behind(0.4), end) ??
    lastBreak(state, inPart, ' ', behind(0.1), end) ??
    graphemeEnd(state.text, start, end)
  )
}

/** Start of the next message: inside code after one line end, elsewhere at the first visible character of the line. */
function skip({ text }: Splitting, within: readonly Mark[], at: number): number {
  const isInCode = within.some(({ type, start, end }) => type === 'pre' && start < at && at < end)
  if (isInCode) return text[at] === '\n' ? at + 1 : at
  const next = trimmedStart(text, at, text.length)
  const lineStart = text.lastIndexOf('\n', next - 1) + 1
  return lineStart >= at && (lineStart > at || at === 0 || text[at - 1] === '\n') ? lineStart : next
}

export function split({ text, marks, joints }: JointFlow): Formatted[] {
  const never = new Set(joints.filter(({ rank }) => rank === 'never').map(({ at }) => at))
  const state: Splitting = { text, marks: canonical(text, marks), joints, never, mark: 0, joint: 0 }
  const pieces: Formatted[] = []
  let start = 0
  while (start < text.length) {
    start = skip(state, marksWithin(state, start, start + 1), start)
    const within = marksWithin(state, start, start + messageLimit)
    const end = reach(state, within, start)
    const cut = end < text.length ? cutBefore(state, within, start, end) : end
    const piece = cutOut(state, within, start, cut)
    if (!isBlank(piece.text)) pieces.push(piece)
    start = cut
  }
  return pieces
}

// Arranges marks like Telegram does: code and links are only inside quotes, marks of one type do not overlap, and styles are split where
// another mark starts. If Telegram did the splitting, the resulting entities could exceed its limit.

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

const sorted = (marks: readonly Mark[]): Mark[] =>
  marks.toSorted((a, b) => a.start - b.start || b.end - a.end || order[a.type] - order[b.type])

/** @returns undefined for a mark around white space only. Code, also inside a quote, keeps the indentation of its first line. */
function trimmed(text: string, mark: Mark): Mark | undefined {
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

// Cuts a part of a text with its entities into one message.

/** A text of any length with sorted, properly nested marks. */
interface Whole {
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
