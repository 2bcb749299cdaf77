// The pool of connections to a PostgreSQL server, behind one guard. postgres.js 3.4.9 can leave a statement of a lost connection without an
// answer, can resolve one that was never sent, and can leave a pool unusable after a loss. So a statement has a time limit, an answer
// without a command counts as a lost connection, and the first loss replaces the pool.

import assert from 'node:assert/strict'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'

/** The connections of a process, without the one that listens for notifications. */
export const usualConnections = 10

const settings = {
  onnotice: () => undefined,
  /** Seconds until a reconnect. The driver's default grows with every lost connection. */
  backoff: () => 0.3,
  /** The driver does not handle a failure of this query, which would end the process. The types are only needed for arrays. */
  fetch_types: false,
} as const

/**
 * One statement at a time in a connection: the driver mixes up answers if a statement that others wait behind has to be prepared again.
 * Its types lack this setting.
 */
const unpipelined = { max_pipeline: 0 } as const

/** A client of one connection, for transactions and notifications. */
export const openClient = (url: string): Sql => postgres(url, { ...settings, max: 1 })

/** Longer than any statement of this app takes, also on large tables. */
const limitMs = 60_000
/** The pause before a statement is sent again for which the server had no connection, and the most pauses. */
const refusedMs = 100
const mostRefusals = 50

/** Seconds that the other statements of a replaced pool may still take; after that they fail like statements of a lost connection. */
const endingSeconds = 5

/**
 * Error codes of a lost connection: of the driver, of the socket, of a server that ends a connection, and of a server that has become
 * read-only (25006), since after a failover another server is the primary.
 */
const losses = /^(CONNECTION_(CLOSED|DESTROYED)|CONNECT_TIMEOUT|ECONNRESET|EPIPE|ETIMEDOUT|57P0[12]|25006)$/

const isLoss = (error: unknown) => losses.test(codeOf(error))

/** Whether the server had no connection for a statement, which was not sent. */
const isRefused = (error: unknown) => codeOf(error) === '53300'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** The statement has no answer, and may have been executed. The codes count as an outage. */
class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code: 'CONNECTION_CLOSED' | 'ETIMEDOUT'

  constructor(message: string, code: NoAnswer['code']) {
    super(message)
    this.code = code
  }
}

/** A statement of Drizzle, which it sends by `unsafe` outside of transactions. */
type Statement = (sql: Sql) => PromiseLike<{ readonly command: string }>

/**
 * @param max the most connections; a transaction has another one
 * @param clock the clock for the time limits; without a clock there are none
 */
export function openPool(url: string, max: number, clock: Clock | undefined) {
  const open = () => postgres(url, { ...settings, ...unpipelined, max })
  const first = open()
  const transactions = openClient(url)
  const ended = new Set<Promise<void>>()
  let pool = first
  let isEnding = false

  const replace = (lost: Sql) => {
    if (lost !== pool || isEnding) return
    pool = open()
    copyTypes(first, pool)
    const end = lost.end({ timeout: endingSeconds }).finally(() => ended.delete(end))
    ended.add(end)
  }
  const sendOnce = async (statement: Statement) => {
    const used = pool
    try {
      const answer = await withinLimit(statement(used), clock)
      if (!answer.command) throw new NoAnswer('the statement was not sent', 'CONNECTION_CLOSED')
      return answer
    } catch (error) {
      if (isLoss(error)) replace(used)
      throw error
    }
  }
  const send = async (statement: Statement) => {
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await sendOnce(statement)
      } catch (error) {
        if (!isRefused(error) || !clock || refusals === mostRefusals) throw error
        await clock.wait(refusedMs)
      }
    }
  }
  const unsafe = (...[text, parameters = []]: Parameters<Sql['unsafe']>) => {
    for (const value of parameters) assert(isSendable(value), `the driver can send ${String(value)}`)
    const query = (sql: Sql) => sql.unsafe(text, parameters, { prepare: true })
    return {
      // biome-ignore lint/suspicious/noThenProperty: a query of the driver is executed on the first `then`, and so is this one
      then: (...handlers: Parameters<Promise<unknown>['then']>) => send(query).then(...handlers),
      values: () => send((sql) => query(sql).values()),
    }
  }
  const own: Record<string | symbol, unknown> = { unsafe, begin: transactions.begin }
  const client = new Proxy(first, { get: (_, name): unknown => own[name] ?? Reflect.get(pool, name) })
  const db = drizzle({ client })
  copyTypes(first, transactions)
  return {
    db,
    /** Waits some seconds for the statements that are not answered. */
    async end() {
      isEnding = true
      await Promise.all([...[pool, transactions].map((one) => one.end({ timeout: endingSeconds })), ...ended])
    },
  }
}

/** A value that the driver cannot send may leave a later statement without an answer. */
const isSendable = (value: unknown): boolean =>
  value instanceof Date
    ? !Number.isNaN(value.getTime())
    : !['undefined', 'symbol', 'function'].includes(typeof value)

/** Drizzle changes the parsers and serializers of its client for some types. */
function copyTypes(from: Sql, to: Sql): void {
  Object.assign(to.options.parsers, from.options.parsers)
  Object.assign(to.options.serializers, from.options.serializers)
}

/** @throws NoAnswer after the time limit */
async function withinLimit<T>(answer: PromiseLike<T>, clock: Clock | undefined): Promise<T> {
  if (!clock) return answer
  const answered = new AbortController()
  const late = clock.wait(limitMs, answered.signal).then(() => {
    throw new NoAnswer('the database did not answer', 'ETIMEDOUT')
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    // An explicit reason: the default one is an Error, and capturing its stack is slow.
    answered.abort('answered')
  }
}
