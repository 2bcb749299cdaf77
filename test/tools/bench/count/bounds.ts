// The most statements and requests that a unit of work may cost, enforced by test/tools/bench/counts.test.ts. Lower a bound when the app needs
// less; raise one only for a reason.

import type { CountName } from './count.ts'

interface Bound {
  readonly statements: number
  readonly requests: number
}

/** The bounds for one update, one order, and one second of an idle process. */
export const bounds: Readonly<Record<CountName, Bound>> = {
  'update-alone': { statements: 7.5, requests: 1 },
  'update-busy': { statements: 5.5, requests: 1 },
  'order-alone': { statements: 25, requests: 8.2 },
  'order-busy': { statements: 19.5, requests: 8.2 },
  idle: { statements: 9, requests: 0.1 },
}
