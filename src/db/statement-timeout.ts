// Time limit of statements. postgres.js 3.4.9 never settles the promise of a statement whose connection is lost at certain moments;
// with the limit it is rejected, like statements whose connection is lost at other moments.

import type { MaybeRow, PendingQuery, RowList, Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { createDeadlines, type Deadlines } from '../runtime/deadlines.ts'

/** Longer than any statement of this app takes, also on large tables. */
const limitMs = 60_000

/** The statement may have been executed. The code is that of a network timeout, which counts as an outage. */
class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = 'ETIMEDOUT'
}

/** @returns the client with a time limit for `unsafe`, which Drizzle uses for all statements */
export function withStatementTimeout(client: Sql, clock: Clock): Sql {
  const deadlines = createDeadlines(clock, limitMs)
  const unsafe: Sql['unsafe'] = (text, parameters, options) =>
    limited(client.unsafe(text, parameters, options), deadlines)
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** A query of postgres.js is a promise that is executed on the first `then`. */
function limited<T extends readonly MaybeRow[]>(
  query: PendingQuery<T>,
  deadlines: Deadlines,
): PendingQuery<T> {
  const execute = query.then.bind(query)
  const answer = () =>
    new Promise<RowList<T>>((resolve, reject) => {
      const met = deadlines.set(() => reject(new StatementTimeout('the database did not answer')))
      execute(
        (found) => {
          met()
          resolve(found)
        },
        (error: unknown) => {
          met()
          reject(error)
        },
      )
    })
  // biome-ignore lint/suspicious/noThenProperty: the query is a promise already; only its waiting is limited
  query.then = (onAnswer, onFailure) => answer().then(onAnswer, onFailure)
  return query
}
