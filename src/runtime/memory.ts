// The memory of a start: a larger space for young objects makes collections unnecessary, and is released after the start. Loading the
// modules enlarges that space, and V8 keeps its size until the next full collection, which an idle process does not reach for hours. A
// lower limit on the space would keep it small, but cost an eighth of the processor time under load.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
const collector = z.custom<Collect>((value) => typeof value === 'function')

/** V8's default. */
const usualGrowth = 2
const setGrowth = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * Lets the space for young objects grow at once to the size that loading the modules needs. The usual growth in steps, each after a
 * collection, takes a tenth of the processor time of a start.
 */
export const spareStartCollections = (): void => setGrowth(16)

/** Releases the memory that only the start needed. It blocks the process for a tenth of a second. */
export function releaseStartMemory(): void {
  setGrowth(usualGrowth)
  setFlagsFromString('--expose-gc')
  const collect = collector.safeParse(runInNewContext('globalThis.gc')).data
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
