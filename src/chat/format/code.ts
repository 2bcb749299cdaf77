// Code blocks: fenced, indented, and display formulas, whose content is not Markdown either.

import type { Code } from './block.ts'
import { indentOf, outdented } from './characters.ts'
import { type Fence, fenceOf, isEmpty, isFenceEnd } from './lines.ts'

interface Read {
  readonly code: Code
  /** Index of the first line after the block. */
  readonly next: number
}

/** Limit of the search for the end of a formula, which keeps parsing linear. */
const mathLines = 50
/** The same limit for Markdown inside a Markdown block. */
const nestedLines = 500

const codeOf = (lines: readonly string[], info: string, isOpen: boolean): Code => ({
  kind: 'code',
  code: lines.join('\n'),
  info,
  isOpen,
})

/**
 * A block of Markdown may contain fences, and models often do not make the outer fence longer. The outer block then ends where all inner
 * fences are closed.
 */
function nestedEnd(lines: readonly string[], start: number, fence: Fence): number {
  let depth = 1
  for (let at = start; at < Math.min(lines.length, start + nestedLines); at++) {
    const line = lines[at] ?? ''
    if (isFenceEnd(line, fence)) depth--
    else if (fenceOf(line)?.char === fence.char) depth++
    if (depth === 0) return at
  }
  return -1
}

function fenceEnd(lines: readonly string[], start: number, fence: Fence): number {
  const nested = /^(?:markdown|md)\b/i.test(fence.info) ? nestedEnd(lines, start, fence) : -1
  if (nested !== -1) return nested
  for (let at = start; at < lines.length; at++) if (isFenceEnd(lines[at] ?? '', fence)) return at
  return -1
}

export function readFence(lines: readonly string[], at: number): Read | undefined {
  const fence = fenceOf(lines[at] ?? '')
  if (!fence) return undefined
  const end = fenceEnd(lines, at + 1, fence)
  const inside = lines.slice(at + 1, end === -1 ? lines.length : end)
  const code = inside.map((line) => outdented(line, fence.columns))
  return { code: codeOf(code, fence.info, end === -1), next: end === -1 ? lines.length : end + 1 }
}

const isIndented = (line: string): boolean => indentOf(line).columns >= 4

/** Reads indented code. Indentation of four columns is code, except inside lists. */
export function readIndented(lines: readonly string[], at: number): Read | undefined {
  if (!isIndented(lines[at] ?? '')) return undefined
  let next = at
  for (let look = at; look < lines.length; look++) {
    const line = lines[look] ?? ''
    if (isEmpty(line)) continue
    if (!isIndented(line)) break
    next = look + 1
  }
  const code = lines.slice(at, next).map((line) => outdented(line, 4))
  return { code: codeOf(code, '', false), next }
}

const closers: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' }

/** Reads a formula, from a line that starts with `$$` or `\[` to the line that ends with the closing delimiter. */
export function readMath(lines: readonly string[], at: number): Read | undefined {
  const first = (lines[at] ?? '').trim()
  const opener = first.slice(0, 2)
  const closer = closers[opener]
  if (closer === undefined) return undefined
  const last = mathEnd(lines, at, first, closer)
  if (last === undefined) return undefined
  const inside = [first.slice(2), ...lines.slice(at + 1, last + 1)]
  const text = inside.join('\n').trimEnd().slice(0, -closer.length).trim()
  // Escaped brackets around a word are not a formula.
  const isFormula = opener === '$$' || /[\\^_={}]/.test(text)
  return text !== '' && isFormula ? { code: codeOf([text], 'latex', false), next: last + 1 } : undefined
}

/** The last line of the formula; undefined when text follows the closing delimiter. */
function mathEnd(lines: readonly string[], at: number, first: string, closer: string): number | undefined {
  const rest = [first.slice(2), ...lines.slice(at + 1, at + mathLines)].map((line) => line.trimEnd())
  const end = rest.findIndex((line, index) => line.includes(closer) || (index > 0 && line === ''))
  const last = rest[end]
  return last?.endsWith(closer) && last.indexOf(closer) === last.length - closer.length ? at + end : undefined
}
