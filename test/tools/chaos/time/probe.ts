// A fixed piece of work that resembles the handling of an update: computation in this process, and database statements in between. Its
// duration measures how slow the machine is. It uses no code of the app, so that a mistake of the app does not look like a slow machine.

import { setImmediate as turn } from 'node:timers/promises'
import type { Sql } from 'postgres'

const steps = 8
const roundsAStep = 400_000

/** Runs the probe. @returns its duration in milliseconds */
export async function probe(sql: Sql): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < steps; n += 1) {
    calculate()
    await turn()
    await sql`select sum(n) from generate_series(1, 2500) n`
  }
  return performance.now() - began
}

/** Takes about half a millisecond. */
function calculate(): number {
  let sum = 0
  for (let n = 0; n < roundsAStep; n += 1) sum = Math.imul(sum ^ n, 0x01000193)
  return sum
}
