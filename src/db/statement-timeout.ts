// Time limit of statements. postgres.js 3.4.9 never settles the promise of a statement whose connection is lost at certain moments; with
// the limit the promise is rejected, like those of statements whose connection is lost at other moments.

import type { Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { createDeadlines } from '../runtime/deadlines.ts'
import { aroundStatements } from './around-statements.ts'

/** The time limit; longer than any statement of this app takes, also on large tables. */
const limitMs = 60_000

/** The statement may have been executed. The code is that of a network timeout, which counts as an outage. */
class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = 'ETIMEDOUT'
}

/** @returns the client with a time limit for its statements */
export function withStatementTimeout(client: Sql, clock: Clock): Sql {
  const deadlines = createDeadlines(clock, limitMs)
  return aroundStatements(client, (execute) => {
    const missed = Promise.withResolvers<never>()
    const met = deadlines.set(() => missed.reject(new StatementTimeout('the database did not answer')))
    return Promise.race([execute(), missed.promise]).finally(met)
  })
}
