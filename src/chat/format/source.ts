// A source to read once from left to right. What looks ahead remembers what it found, so that no input makes reading it cost
// more than its length.

/** Where the closing run of backticks of each opening one stands. */
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

/** Where the bracket that closes each `(` stands. */
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

/** `indexOf` for places that only grow. */
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

/** What the pattern (sticky) finds exactly there. */
export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}
