// postgres.js 3.4.9 spoils a connection that is lost while a statement waits to be written: it reopens the connection, but never writes
// to it again, and the statements that are assigned to it hang until a time limit. So the first loss replaces the whole pool.

import type { Sql } from 'postgres'
import type { Around } from './around-statements.ts'

/**
 * Error codes of a lost connection: of the driver, of the socket, of a server that ends a connection, and of a server that has become
 * read-only (25006), since after a failover another server is the primary. A refused connection leaves the pool usable.
 */
const losses = /^(CONNECTION_(CLOSED|DESTROYED)|CONNECT_TIMEOUT|ECONNRESET|EPIPE|57P0[12]|25006)$/

const isLoss = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && losses.test(String(error.code))

/** Seconds that the other statements of a replaced pool may still take; after that they fail like statements of a lost connection. */
const endingSeconds = 5

/**
 * @param open opens a pool whose statements are wrapped by `watch`
 * @returns a client whose `unsafe` uses a pool that has lost no connection; `listen` must not be used on it
 */
export function withFreshPool(open: (watch: Around) => Sql): Sql {
  const openWatched = () => {
    const opened: Sql = open((execute) =>
      execute().catch((error: unknown) => {
        noticeLoss(opened, error)
        throw error
      }),
    )
    return opened
  }
  const noticeLoss = (used: Sql, error: unknown) => {
    if (isEnding || used !== pool || !isLoss(error)) return
    pool = withTypesOf(used, openWatched())
    const ended: Promise<unknown> = used
      .end({ timeout: endingSeconds })
      .catch(() => undefined)
      .finally(() => replaced.delete(ended))
    replaced.add(ended)
  }
  let pool = openWatched()
  const replaced = new Set<Promise<unknown>>()
  let isEnding = false

  const own: Pick<Sql, 'unsafe' | 'end'> = {
    unsafe: (text, parameters, options) => pool.unsafe(text, parameters, options),
    async end(options) {
      isEnding = true
      await Promise.all([pool.end(options), ...replaced])
    },
  }
  return new Proxy(pool, {
    get: (_, name) => Reflect.get(name in own ? own : pool, name),
  })
}

/** Copies the parsers and serializers of the used client, since Drizzle changes those of its client for some types. */
export function withTypesOf(used: Sql, fresh: Sql): Sql {
  Object.assign(fresh.options.parsers, used.options.parsers)
  Object.assign(fresh.options.serializers, used.options.serializers)
  return fresh
}
