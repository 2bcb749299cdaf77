// Lookahead for a parser that reads a source from left to right.

/** Matches a sticky pattern at a position. */
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
