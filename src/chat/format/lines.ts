// What stands at a place of a text: the block that a line of Markdown starts, code between backticks, and answers in JSON.

import { indentOf } from './characters.ts'

export const isEmpty = (line: string): boolean => line.trim() === ''

export const isRule = (line: string): boolean => {
  const marks = line.trim().replace(/[ \t]+/g, '')
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(marks)
}

export const isUnderline = (line: string): boolean => /^={2,}$/.test(line.trim())

export const isQuote = (line: string): boolean => /^[ \t]*>/.test(line)

export function headingOf(line: string): string | undefined {
  const text = /^[ \t]*#{1,6}(?=[ \t]|$)(.*)$/.exec(line)?.[1]?.trim()
  return text?.replace(/(?:^|\s)#+$/, '').trimEnd()
}

export interface Fence {
  readonly columns: number
  readonly char: string
  readonly length: number
  readonly info: string
}

export function fenceOf(line: string): Fence | undefined {
  const { columns, length: start } = indentOf(line)
  const run = /^(?:`{3,}|~{3,})/.exec(line.slice(start))?.[0]
  if (run === undefined) return undefined
  const info = line.slice(start + run.length).trim()
  const char = run.charAt(0)
  // ` ```code``` ` and `~~~~gone~~~~` on one line open nothing.
  return info.includes(char) ? undefined : { columns, char, length: run.length, info }
}

export function isFenceEnd(line: string, { char, length }: Fence): boolean {
  const marks = line.trim()
  return marks.length >= length && marks === char.repeat(marks.length)
}

interface ItemStart {
  readonly columns: number
  readonly marker: string
  readonly text: string
}

export function itemOf(line: string): ItemStart | undefined {
  const { columns, length } = indentOf(line)
  const found = /^([-*+•]|\d{1,9}[.)])(?:[ \t]+(.*))?$/.exec(line.slice(length))
  return found ? { columns, marker: found[1] ?? '', text: found[2] ?? '' } : undefined
}

export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

const span = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y

/** The code between the backticks that begin there, and the index after it; undefined when they are not closed. */
export function codeSpanAt(source: string, at: number): { code: string; end: number } | undefined {
  const found = matchAt(span, source, at)
  return found ? { code: found[2] ?? '', end: at + found[0].length } : undefined
}

// Recognises answers in JSON, which an operator can demand (`response_format`): they are shown as they are, not as Markdown.

/** The first key of an object, perhaps in lists: no Markdown begins like that, and the rest may not have arrived. */
const beginning = /^\s*(?:\[\s*)*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

export const isJson = (text: string): boolean => beginning.test(text) || isWhole(text.trim())

function isWhole(text: string): boolean {
  if (!/^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
