// The pool of connections to a PostgreSQL server, behind one guard. postgres.js 3.4.9 can leave a statement of a lost connection without an
// answer, can resolve one that was never sent, and can leave a pool unusable after a loss. So a statement has a time limit, an answer
// without a command counts as a lost connection, and the first loss replaces the pool. There are no transactions: `begin` pins a
// connection, and the loss of such a connection can end the process.

import assert from 'node:assert/strict'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { allSettledWithin, type Clock } from '../runtime/clock.ts'

/** The connections of a process, without the one that listens for notifications. */
export const usualConnections = 10

const settings = {
  onnotice: () => undefined,
  /** Seconds until a reconnect. The driver's default grows with every lost connection. */
  backoff: () => 0.3,
  /** The driver does not handle a failure of this query, which would end the process. The types are only needed for arrays. */
  fetch_types: false,
} as const

/** One statement at a time in a connection: the driver mixes up answers if one that others wait behind has to be prepared again. */
const unpipelined = { max_pipeline: 0 } as const

/** A client of one connection, for migrations and notifications. */
export const openClient = (url: string): Sql => postgres(url, { ...settings, max: 1 })

/** Longer than any statement of this app takes, also on large tables. */
const limitMs = 60_000
/** Seconds that the other statements of a replaced pool may still take; after that they fail like statements of a lost connection. */
const endingSeconds = 5
/** A statement for which the server had no connection is sent again after a pause, and the victim of a deadlock at once. */
const refusedMs = 100
const maxRefusals = 50
const maxDeadlocks = 5

/**
 * Error codes of a lost connection: of the driver, of the socket, of a server that ends a connection, and of a server that has become
 * read-only (25006), since after a failover another server is the primary.
 */
const losses = /^(CONNECTION_(CLOSED|DESTROYED)|CONNECT_TIMEOUT|ECONNRESET|EPIPE|ETIMEDOUT|57P0[12]|25006)$/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** The error of a statement that has no answer, and may have been executed. */
const noAnswer = (message: string, code: 'CONNECTION_CLOSED' | 'ETIMEDOUT') =>
  Object.assign(new Error(message), { code })

/** @param clock the clock for time limits and pauses; without a clock there are none */
export function openPool(url: string, max: number, clock: Clock | undefined) {
  let ended: Promise<unknown> | undefined
  let isEnding = false
  const replace = (lost: Sql) => {
    if (lost !== pool || isEnding) return
    pool = open()
    ended = Promise.all([ended, lost.end({ timeout: endingSeconds })])
  }
  const sendOnce = async (statement: Statement) => {
    const used = pool
    try {
      const asked = Promise.resolve(statement(used))
      if (clock && !(await allSettledWithin([asked], clock, limitMs)))
        throw noAnswer('the database did not answer', 'ETIMEDOUT')
      const answer = await asked
      if (!answer.command) throw noAnswer('the statement was not sent', 'CONNECTION_CLOSED')
      return answer
    } catch (error) {
      if (losses.test(codeOf(error))) replace(used)
      throw error
    }
  }
  const send = async (statement: Statement) => {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await sendOnce(statement)
      } catch (error) {
        if (clock && codeOf(error) === '53300' && repeats < maxRefusals) await clock.wait(refusedMs)
        else if (codeOf(error) !== '40P01' || repeats >= maxDeadlocks) throw error
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
  /** The client that Drizzle knows. It sends each statement by the pool of the moment, and opens no connection of its own. */
  const client = Object.assign(postgres(url, settings), { unsafe })
  const db = drizzle({ client })
  /** Drizzle changes the parsers and serializers of its client for some types. */
  const open = () => {
    const sql = postgres(url, { ...settings, ...unpipelined, max })
    Object.assign(sql.options.parsers, client.options.parsers)
    Object.assign(sql.options.serializers, client.options.serializers)
    return sql
  }
  let pool = open()
  return {
    db,
    /** Waits some seconds for the statements that are not answered. */
    async end() {
      isEnding = true
      await Promise.all([ended, pool.end({ timeout: endingSeconds })])
    },
  }
}

type Statement = (sql: Sql) => PromiseLike<{ readonly command: string }>

/** A value that the driver cannot send may leave a later statement without an answer. */
const isSendable = (value: unknown): boolean =>
  value instanceof Date
    ? !Number.isNaN(value.getTime())
    : !['undefined', 'symbol', 'function'].includes(typeof value)
