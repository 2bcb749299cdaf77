// What the errors of a database mean: whether a statement may succeed when it is repeated, and why a database cannot be opened.

import { DrizzleQueryError } from 'drizzle-orm'
import type { Clock } from '../runtime/clock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import { causesOf, type Log } from '../runtime/log.ts'
import { FolderInUse } from './folder-lock.ts'

/**
 * Error codes of the driver and the socket, and of the server: statement timeout (57014), shutdown or start (57P0x), lock timeout
 * (55P03), lost connection (08), exhausted resources (53), serialization failure and deadlock (40), and a server that another one has
 * replaced and that only reads now (25006).
 */
const outageCodes =
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57014|57P0[1-3]|55P03|08...|53...|40001|40P01|25006)/

export const isOutage = (error: unknown): boolean => outageCodes.test(codeOf(error) ?? '')

/** The code of a failed statement, which may be empty; undefined for any other error. */
function codeOf(error: unknown): string | undefined {
  let at = error
  while (at instanceof Error && !(at instanceof DrizzleQueryError)) at = at.cause
  if (!(at instanceof DrizzleQueryError)) return undefined
  return at.cause && 'code' in at.cause ? String(at.cause.code) : ''
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

const pauseMs = 1000

/**
 * Repeats `write` until an outage has ended, for results of actions outside the database: if they were not recorded, the action would be
 * repeated. `write` must be idempotent, since a failed run may have been committed.
 * @throws every error that is no outage
 */
export async function throughOutages<T>({ clock, log }: Deps, write: () => Promise<T>): Promise<T> {
  for (let outages = 1; ; outages += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isOutage(error)) throw error
      if (outages === 1) log.warn({ error }, 'write repeated: the database is unavailable')
      await clock.wait(pauseMs)
    }
  }
}

// Why a database cannot be opened, in a sentence for the operator.

const network = 'check the host, the port and the firewall'
const onServer: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start it, or correct the host and the port',
  ENOTFOUND: 'correct the host',
  EAI_AGAIN: 'correct the host, or check the network',
  ETIMEDOUT: network,
  EHOSTUNREACH: network,
  CONNECT_TIMEOUT: network,
  '28P01': 'correct the user and the password',
  '28000': 'correct the user, or allow it in pg_hba.conf',
  '3D000': 'create the database with createdb, or correct the name',
  '42501': 'make this user the owner of the database',
  '53300': 'raise max_connections, or stop other programs',
  '57P03': 'try again in a moment',
}

const another = 'write another folder'
const inFolder: Readonly<Record<string, string>> = {
  EACCES: `make its owner the user of this program, or ${another}`,
  EPERM: `make its owner the user of this program, or ${another}`,
  EROFS: another,
  ENOTDIR: another,
  EEXIST: another,
  ENOSPC: `make room on the disk, or ${another}`,
}

/** @param url contains a password, so only the folder of an embedded database is repeated in the message */
export function cannotOpen(error: unknown, url: string): CannotStart {
  if (error instanceof CannotStart) return error
  const folder = url.startsWith('pglite:') ? url.slice('pglite:'.length) : undefined
  const what = folder === undefined ? 'the database' : `the folder ${folder}`
  const known = folder === undefined ? onServer : inFolder
  const advice = allCodesOf(error)
    .map((code) => known[code])
    .find((one) => one !== undefined)
  const reason = causesOf(error).at(-1) ?? ''
  const message =
    error instanceof FolderInUse
      ? error.message
      : `${what} cannot be used (${reason}): ${advice ?? 'see its log'}`
  return new CannotStart(`DATABASE_URL: ${message}`, { cause: error })
}

/** The codes of an error and its causes. SQLite, which locks the folder, has no code of its own for a folder that cannot be written. */
function allCodesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error ? [String(error.code)] : []
  const opening = /unable to open database file|readonly database/.test(error.message) ? ['EACCES'] : []
  const inside = error instanceof AggregateError ? error.errors.flatMap(allCodesOf) : []
  return [...code, ...opening, ...inside, ...allCodesOf(error.cause)]
}
