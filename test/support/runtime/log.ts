// A log whose lines a test can read.

import type { Log } from '../../../src/runtime/log.ts'

interface Line {
  readonly level: keyof Log
  readonly event: string
  readonly [fact: string]: unknown
}

export function loggingTo(): Log & { readonly lines: Line[]; said(event: string): readonly Line[] } {
  const lines: Line[] = []
  const at = (level: keyof Log) => (facts: object, event: string) =>
    void lines.push({ ...facts, level, event })
  return {
    lines,
    said: (event) => lines.filter((line) => line.event === event),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}
