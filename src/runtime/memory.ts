// Gives the memory back that only the start needed. V8 keeps the space for young objects as large as loading the modules made it until the
// next full collection, which an idle process does not reach for hours. A lower limit on that space would keep it small, but cost an
// eighth of the processor time under load.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
const collector = z.custom<Collect>((value) => typeof value === 'function')

/** Blocks for a tenth of a second. */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = collector.safeParse(runInNewContext('globalThis.gc')).data
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
