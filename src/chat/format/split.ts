// Splits a text of any length into messages: between blocks if possible, else between lines, else between words, and inside a word only
// when it is longer than a message.

import { messageLimit } from '../../texts.ts'
import { canonical } from './canonical.ts'
import { isBlank, trimmedStart } from './characters.ts'
import { cutOut, type Whole } from './cut.ts'
import { entityLimit, type Formatted, linksLimit, type Mark } from './entity.ts'
import type { Joint, JointFlow } from './flow.ts'
import { graphemeEnd } from './width.ts'

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
