// Outages: statements that failed because the database was unreachable or overloaded may succeed when they are repeated.

import { DrizzleQueryError } from 'drizzle-orm'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

/**
 * Error codes of the driver and the socket, and of the server: statement timeout (57014), shutdown or start (57P0x), lock timeout
 * (55P03), lost connection (08), exhausted resources (53), serialization failure and deadlock (40), and a server that another one has
 * replaced and that only reads now (25006).
 */
const outageCodes =
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57014|57P0[1-3]|55P03|08...|53...|40001|40P01|25006)/

export function isOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DrizzleQueryError) return outageCodes.test(codeOf(at.cause))
  }
  return false
}

/** Error codes of the server for invalid data, violated constraints, invalid statements and exceeded limits of size. */
const permanentCodes = /^(22|23|42|54)/

/** Whether a statement failed at the database and may succeed when it is repeated. */
export function maySucceedLater(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DrizzleQueryError) return !permanentCodes.test(codeOf(at.cause))
  }
  return false
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

const pauseMs = 1000
/** The most repetitions: a minute and a half, plus the time of the statements. */
const mostOutages = 90

/**
 * Repeats `write` during an outage, for results of actions outside the database: if they were not recorded, the action would be
 * repeated. `write` must be idempotent, since a failed run may have been committed.
 * @throws the last outage when there were too many, and every other error at once
 */
export async function throughOutages<T>({ clock, log }: Deps, write: () => Promise<T>): Promise<T> {
  for (let outages = 1; ; outages += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isOutage(error) || outages > mostOutages) throw error
      log.warn({ error, outages }, 'write repeated: the database is unavailable')
      await clock.wait(pauseMs)
    }
  }
}
