// postgres.js 3.4.9 resolves a statement with an empty answer that the server never gave: the statement was handed to a connection between
// the error and the close of its socket, and was forgotten until the connection was opened again. Such an answer has no command.

import type { MaybeRow, PendingQuery, RowList, Sql } from 'postgres'

/** The statement was not executed. The code counts as an outage. */
class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
}

/** @returns the client whose `unsafe`, which Drizzle uses for all statements, rejects where the driver has no answer */
export function withRealAnswers(client: Sql): Sql {
  const unsafe: Sql['unsafe'] = (text, parameters, options) =>
    checked(client.unsafe(text, parameters, options))
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** A query of postgres.js is a promise that is executed on the first `then`. */
function checked<T extends readonly MaybeRow[]>(query: PendingQuery<T>): PendingQuery<T> {
  const execute = query.then.bind(query)
  const answer = () =>
    new Promise<RowList<T>>((resolve, reject) => {
      const check = (found: RowList<T>) =>
        found.command ? resolve(found) : reject(new ConnectionLost('the statement was not sent'))
      execute(check, reject)
    })
  // biome-ignore lint/suspicious/noThenProperty: the query is a promise already; only its answer is checked
  query.then = (onAnswer, onFailure) => answer().then(onAnswer, onFailure)
  return query
}
