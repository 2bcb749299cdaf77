// The cases in which postgres.js 3.4.9 would give statements that wait in one connection the answers of others. Statements that share
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
  client.options.serializers = withoutErrors(client.options.serializers)
  let connection: Connection | undefined
  const options: UnsafeQueryOptions & { onexecute(used: Connection): boolean } = {
    prepare: true,
    onexecute(used) {
      connection = used
      return true
    },
  }
  const unsafe: Sql['unsafe'] = (text, parameters, given) => {
    assert((parameters?.length ?? 0) <= mostParameters, 'the driver can send so many parameters')
    for (const value of parameters ?? []) assert(isSendable(value), `the driver can send ${String(value)}`)
    return endedInsteadOfRetried(client.unsafe(text, parameters, { ...given, ...options }), () =>
      connection?.terminate(),
    )
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** The number of parameters is sent in two bytes. */
const mostParameters = 65_535

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

type Serializers = Sql['options']['serializers']
type Serializer = (value: unknown) => unknown

const isSerializer = (value: unknown): value is Serializer => typeof value === 'function'

/** Sent in place of a value that cannot be serialized. It is invalid for these types, so the server refuses the statement. */
const noValue = '\\no value'

/**
 * The driver writes a parameter by the serializer of the type that the server has named for it, and the value may have another type, like a
 * number for `bytea`. An error of a serializer would have the effect that `isSendable` describes, so `noValue` is sent in its place. Drizzle
 * replaces serializers of a client that is open already, so a serializer is wrapped whenever the driver gets it.
 */
const withoutErrors = (serializers: Serializers): Serializers =>
  new Proxy(serializers, {
    get(target, type) {
      const serialize: unknown = Reflect.get(target, type)
      return isSerializer(serialize) ? withoutError(serialize) : serialize
    },
  })

/** The results of `withoutError`. `withTypesOf` copies them to the client of the next connection, where they are not wrapped again. */
const wrapped = new WeakSet<object>()

function withoutError(serialize: Serializer): Serializer {
  if (wrapped.has(serialize)) return serialize
  const safe = (value: unknown) => textOr(noValue, () => serialize(value))
  wrapped.add(safe)
  return safe
}

function textOr(otherwise: string, serialize: () => unknown): string {
  try {
    const text = serialize()
    return typeof text === 'string' ? text : otherwise
  } catch {
    return otherwise
  }
}

/**
 * When a migration has changed the result of a prepared statement, the driver prepares it anew and repeats it, and sends others before the
 * server has answered the first part. The driver marks the statement before that, which is the moment to close the connection.
 */
const endedInsteadOfRetried = <T extends readonly MaybeRow[]>(query: PendingQuery<T>, end: () => void) =>
  Object.defineProperty(query, 'retried', { set: end })
