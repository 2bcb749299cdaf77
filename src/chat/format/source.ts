// Lookahead for a parser that reads a source from left to right. Results are precomputed or cached, so that the total cost is linear.

/** The closing run of backticks for each opening run, by index. */
export function backtickPairs(source: string): ReadonlyMap<number, { length: number; close: number }> {
  const runs = [...source.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }))
  const next = new Map<number, number>()
  const pairs = new Map<number, { length: number; close: number }>()
  for (const { index, length } of runs.toReversed()) {
    const close = next.get(length)
    if (close !== undefined) pairs.set(index, { length, close })
    next.set(length, index)
  }
  return pairs
}

/** The closing parenthesis for each `(`, by index. */
export function parenPairs(source: string): ReadonlyMap<number, number> {
  const open: number[] = []
  const pairs = new Map<number, number>()
  for (const { index, 0: found } of source.matchAll(/\\[\s\S]|[()]/g)) {
    if (found === '(') open.push(index)
    if (found !== ')') continue
    const start = open.pop()
    if (start !== undefined) pairs.set(start, index)
  }
  return pairs
}

/** A cached `indexOf` for calls with growing positions. */
export function finder(source: string): (needle: string, from: number) => number {
  const known = new Map<string, { from: number; found: number }>()
  return (needle, from) => {
    const last = known.get(needle)
    if (last && from >= last.from && (last.found === -1 || from <= last.found)) return last.found
    const found = source.indexOf(needle, from)
    known.set(needle, { from, found })
    return found
  }
}

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}
