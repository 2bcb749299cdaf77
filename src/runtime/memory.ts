// The memory of a start: more of it spares collections, and what only the start needed is given back. V8 keeps the space for young objects as
// large as loading the modules made it until the next full collection, which an idle process does not reach for hours. A lower limit on that
// space would keep it small, but cost an eighth of the processor time under load.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
const collector = z.custom<Collect>((value) => typeof value === 'function')

/** V8's own. */
const usualGrowth = 2
const setGrowth = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * Lets the space for young objects grow at once to what loading the modules needs. Its usual steps, each after a collection, take a tenth of
 * the processor time of a start.
 */
export const spareStartCollections = (): void => setGrowth(16)

/** Blocks for a tenth of a second. */
export function releaseStartMemory(): void {
  setGrowth(usualGrowth)
  setFlagsFromString('--expose-gc')
  const collect = collector.safeParse(runInNewContext('globalThis.gc')).data
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
