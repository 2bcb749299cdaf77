// Splits a text of any length into messages: between blocks if possible, else between lines, else between words, and inside a word only
// when it is longer than a message. Telegram itself divides the styles that overlap code, links and quotations.

import type { Entity, Formatted } from '../../db/schema.ts'
import { messageLimit } from '../../texts.ts'
import { graphemeEnd, isBlank, trimmedEnd, trimmedStart } from './characters.ts'
import { entityLimit, type Flow, linksLimit, type Mark } from './flow.ts'

export function split({ text, marks }: Flow): Formatted[] {
  const pieces: Formatted[] = []
  const left = inOrder(marks)
  let start = 0
  while (start < text.length) {
    start = visibleFrom({ text, marks: takeNear(left, start) }, start)
    const flow = { text, marks: takeNear(left, start) }
    const end = reach(flow, start)
    const cut = end < text.length ? cutBefore(flow, start, end) : end
    const piece = cutOut(flow, start, cut)
    if (!isBlank(piece.text)) pieces.push(piece)
    start = cut
  }
  return pieces
}

/** The marks of a message that begins there. Drops marks before it, so that a text of many messages takes no longer for each of them. */
function takeNear(left: Mark[], start: number): Mark[] {
  left.splice(
    0,
    left.findIndex((mark) => mark.end > start),
  )
  const behind = left.findIndex((mark) => mark.start >= start + messageLimit)
  return left.slice(0, behind === -1 ? left.length : behind).filter((mark) => mark.end > start)
}

/** By their start, outer marks before those within them, and without styles within the same style. */
export function inOrder(marks: readonly Mark[]): Mark[] {
  const until = new Map<Mark['type'], number>()
  const sorted = marks.toReversed().sort((a, b) => a.start - b.start || b.end - a.end)
  return sorted.filter(({ type, end }) => {
    const isOutside = end > (until.get(type) ?? 0)
    if (isOutside) until.set(type, end)
    return isOutside
  })
}

/** Where the text begins from that place: inside code after one line end, elsewhere at the first line with a visible character. */
export function visibleFrom({ text, marks }: Flow, at: number): number {
  const isInCode = marks.some(({ type, start, end }) => type === 'pre' && start < at && at < end)
  if (isInCode) return text[at] === '\n' ? at + 1 : at
  const next = trimmedStart(text, at, text.length)
  const lineStart = text.lastIndexOf('\n', next - 1) + 1
  return lineStart >= at && (lineStart > at || at === 0 || text[at - 1] === '\n') ? lineStart : next
}

/** The largest end of a message that starts there, by the limits of length, entities and links. */
function reach({ text, marks }: Flow, start: number): number {
  let links = 0
  const full = marks.find((mark, count) => {
    links += mark.type === 'text_link' ? mark.url.length : 0
    return count >= entityLimit || links > linksLimit
  })
  return Math.min(text.length, start + messageLimit, full ? Math.max(full.start, start + 1) : text.length)
}

interface Break {
  readonly before: '\n\n' | '\n' | ' '
  /** The part of the message that is filled at least. */
  readonly share: number
  /** Between blocks or lines of text: not within code, and not behind a line that leads to the next one. */
  readonly isOfText: boolean
}

/** The best first. */
const breaks: readonly Break[] = [
  { before: '\n\n', share: 0.5, isOfText: true },
  { before: '\n', share: 0.5, isOfText: true },
  { before: '\n', share: 0.4, isOfText: false },
  { before: ' ', share: 0.1, isOfText: false },
]

function cutBefore(flow: Flow, start: number, end: number): number {
  for (const one of breaks) {
    const from = start + Math.max(1, Math.floor((end - start) * one.share))
    const at = lastBreak(flow, one, from, end)
    if (at !== undefined) return at
  }
  return graphemeEnd(flow.text, start, end)
}

/** A combining mark or joiner after white space belongs to it. */
const joins = /^[\p{M}\u200d]/u

/** The last such break in a range, outside of links and inline code. */
function lastBreak(flow: Flow, { before, isOfText }: Break, from: number, end: number): number | undefined {
  const { text, marks } = flow
  const isWhole = ({ type }: Mark) => type === 'code' || type === 'text_link' || (isOfText && type === 'pre')
  for (let at = text.lastIndexOf(before, end); at >= from; at = text.lastIndexOf(before, at - 1)) {
    const around = marks.find((mark) => isWhole(mark) && mark.start < at && at < mark.end)
    if (around) at = around.start
    else if (!joins.test(text.slice(at + 1, at + 3)) && !(isOfText && leadsOn(flow, from, at))) return at
  }
  return undefined
}

/** Whether the line that ends there is a heading or ends with a colon. */
function leadsOn({ text, marks }: Flow, from: number, at: number): boolean {
  const end = trimmedEnd(text, from, at)
  const start = text.lastIndexOf('\n', end - 1) + 1
  return (
    text[end - 1] === ':' ||
    marks.some((mark) => mark.type === 'bold' && mark.start <= start && mark.end >= end)
  )
}

/** Cuts a part of a text with its styles into one message. */
export function cutOut({ text, marks }: Flow, start: number, end: number): Formatted {
  const last = trimmedEnd(text, start, end)
  const inside = marks
    .map((mark) => ({ ...mark, start: Math.max(mark.start, start), end: Math.min(mark.end, last) }))
    .filter((mark) => mark.start < mark.end)
  const entities = inside.map(
    ({ start: from, end: to, ...style }): Entity => ({ ...style, offset: from - start, length: to - from }),
  )
  return { text: keptIndent(text.slice(start, last), entities), entities }
}

/** Telegram trims leading spaces, which show the level of a list item; no-break spaces are kept. */
function keptIndent(text: string, entities: readonly Entity[]): string {
  const spaces = /^ */.exec(text)?.[0].length ?? 0
  const isSafe = entities.some(({ offset }) => offset === 0)
  return isSafe ? text : '\u00a0'.repeat(spaces) + text.slice(spaces)
}
