// postgres.js 3.4.9 forgets statements whose connection is cut at certain moments: their promises would be waited for without
// end. Here they fail in time instead, as those do whose connection was cut at other moments.

import type { MaybeRow, PendingQuery, Sql } from 'postgres'
import { allSettledWithin } from '../runtime/all-settled-within.ts'
import type { Clock } from '../runtime/clock.ts'

/** No statement of ours takes so long, whatever is in the tables. */
const limitMs = 60_000

/** Its code is that of a network that does not answer: what was asked may have been done. */
export class StatementUnanswered extends Error {
  override name = 'StatementUnanswered'
  readonly code = 'ETIMEDOUT'
}

/** @returns the same client, of whose statements by text (all of Drizzle's) each is answered in time, or fails */
export function impatient(client: Sql, clock: Clock): Sql {
  const unsafe: Sql['unsafe'] = (text, parameters, options) =>
    limited(client.unsafe(text, parameters, options), clock)
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** A query of postgres.js is a promise that begins when somebody waits for it. */
function limited<T extends readonly MaybeRow[]>(query: PendingQuery<T>, clock: Clock): PendingQuery<T> {
  const begin = query.then.bind(query)
  const answer = async () => {
    const begun = begin((found) => found)
    if (await allSettledWithin([begun], clock, limitMs)) return begun
    throw new StatementUnanswered('the database did not answer')
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already, and only its waiting is changed
  query.then = (onAnswer, onFailure) => answer().then(onAnswer, onFailure)
  return query
}
