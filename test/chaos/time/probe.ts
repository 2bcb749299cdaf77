// A fixed piece of work, of the kinds that handling an update is made of: steps of this process, and statements of the database
// between them. How long it takes tells how slow the machine is at the moment. Nothing of the app takes part in it: a mistake of the
// app must not pass for a slow machine.

import { setImmediate as turn } from 'node:timers/promises'
import type { Sql } from 'postgres'

const steps = 8
const roundsAStep = 400_000

/** @returns how long it took, in milliseconds */
export async function probe(sql: Sql): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < steps; n += 1) {
    calculate()
    await turn()
    await sql`select sum(n) from generate_series(1, 2500) n`
  }
  return performance.now() - began
}

/** About half a millisecond. */
function calculate(): number {
  let sum = 0
  for (let n = 0; n < roundsAStep; n += 1) sum = Math.imul(sum ^ n, 0x01000193)
  return sum
}
