// Two cases in which postgres.js 3.4.9 would give statements that wait in one connection the answers of others. Statements that share
// connections must be sent by a client of this module.

import assert from 'node:assert/strict'
import type { MaybeRow, PendingQuery, Sql, UnsafeQueryOptions } from 'postgres'

/** What the driver calls with its connection after it has sent a prepared statement; its types lack it. */
interface Connection {
  /** Closes the connection. All its statements fail like those of a lost one. */
  terminate(): void
}

/** @param client a client of one connection */
export function safelyPipelined(client: Sql): Sql {
  let connection: Connection | undefined
  const options: UnsafeQueryOptions & { onexecute(used: Connection): boolean } = {
    prepare: true,
    onexecute(used) {
      connection = used
      return true
    },
  }
  const unsafe: Sql['unsafe'] = (text, parameters, given) => {
    for (const value of parameters ?? []) assert(isSendable(value), `the driver can send ${String(value)}`)
    return endedInsteadOfRetried(client.unsafe(text, parameters, { ...given, ...options }), () =>
      connection?.terminate(),
    )
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

const scalars = ['string', 'number', 'bigint', 'boolean']

/**
 * A value that the driver fails to send fails the first waiting statement in place of its own, and shifts the answers of the others.
 * @throws like `JSON.stringify` for a value that is no JSON
 */
function isSendable(value: unknown): boolean {
  if (scalars.includes(typeof value) || value === null || value instanceof Uint8Array) return true
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  return JSON.stringify(value) !== undefined
}

/**
 * When a migration has changed the result of a prepared statement, the driver prepares it anew and repeats it, and sends others before the
 * server has answered the first part. The driver marks the statement before that, which is the moment to close the connection.
 */
const endedInsteadOfRetried = <T extends readonly MaybeRow[]>(query: PendingQuery<T>, end: () => void) =>
  Object.defineProperty(query, 'retried', { set: end })
