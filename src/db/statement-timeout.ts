// Time limit of statements. postgres.js 3.4.9 never settles the promise of a statement whose connection is lost at certain moments; with
// the limit the promise is rejected, like those of statements whose connection is lost at other moments.

import type { Clock } from '../runtime/clock.ts'
import { createDeadlines } from '../runtime/deadlines.ts'
import type { Around } from './around-statements.ts'

/** The time limit; longer than any statement of this app takes, also on large tables. */
const limitMs = 60_000

/** The statement may have been executed. The code is that of a network timeout, which counts as an outage. */
class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = 'ETIMEDOUT'
}

export function statementTimeout(clock: Clock): Around {
  const deadlines = createDeadlines(clock, limitMs)
  return (execute) =>
    new Promise((resolve, reject) => {
      const met = deadlines.set(() => reject(new StatementTimeout('the database did not answer')))
      execute().then(
        (answer) => {
          met()
          resolve(answer)
        },
        (error: unknown) => {
          met()
          reject(error)
        },
      )
    })
}
