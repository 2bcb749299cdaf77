// The connections of this process to a PostgreSQL server.

import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { type Around, aroundStatements, composed } from './around-statements.ts'
import { connectionLimit } from './connection-limit.ts'
import { withFreshPool, withTypesOf } from './fresh-pool.ts'
import { createPipelines } from './pipelines.ts'
import { prepared } from './prepared-statements.ts'
import { realAnswers } from './real-answers.ts'
import { safelyPipelined } from './safe-pipelining.ts'
import { withSpare } from './spare-client.ts'
import { statementTimeout } from './statement-timeout.ts'

const settings = {
  onnotice: () => undefined,
  /** Seconds until a reconnect. The driver's default grows with every lost connection. */
  backoff: () => 0.3,
  /** The driver does not handle a failure of this query, which would end the process. The types are only needed for arrays. */
  fetch_types: false,
} as const

/** @param max the most connections */
export const openClient = (url: string, max: number): Sql => postgres(url, { ...settings, max })

/**
 * Connects both databases of `OpenDatabase`.
 * @param most the most connections of both, at least two
 * @param clock the clock for the limits of time and number of statements; without a clock there are no limits, and one database for both
 */
export function connect(url: string, most: number, clock: Clock | undefined) {
  if (!clock) return connectPlainly(url, most)
  const forLong = Math.max(1, Math.floor(most / 3))
  const timeout = statementTimeout(clock)
  const pool = openPool(url, forLong)
  const limited = aroundStatements(pool, connectionLimit(forLong, clock))
  const longDb = drizzle({
    client: aroundStatements(
      withSpare(limited, () => pipelines, clock),
      timeout,
    ),
  })
  const pipelines = openPipelines(url, most - forLong, pool, clock)
  const db = drizzle({
    client: aroundStatements(
      withSpare(pipelines, () => limited, clock),
      timeout,
    ),
  })
  return { db, longDb, end: () => endAll([pool, pipelines]) }
}

function connectPlainly(url: string, most: number) {
  const pool = openPool(url, most)
  const db = drizzle({ client: pool })
  return { db, longDb: db, end: () => endAll([pool]) }
}

/** Waits some seconds for the statements that are not answered. */
export async function endAll(clients: readonly Sql[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end({ timeout: 5 })))
}

const openPool = (url: string, max: number): Sql =>
  withFreshPool((watch) => aroundStatements(openClient(url, max), composed(watch, realAnswers), prepared))

/** @param types the client whose types of values apply */
function openPipelines(url: string, most: number, types: Sql, clock: Clock): Sql {
  const openOne = () => safelyPipelined(withTypesOf(types, openClient(url, 1)))
  const open = (counted: Around) =>
    withFreshPool((watch) => aroundStatements(openOne(), composed(counted, composed(watch, realAnswers))))
  return createPipelines({ open, most }, clock)
}
