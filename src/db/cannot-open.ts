// Explains in a sentence for the operator why a database cannot be opened.

import { CannotStart } from '../runtime/env-values.ts'
import { causesOf } from '../runtime/log.ts'
import { FolderInUse } from './folder-lock.ts'

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
  const folder = url.startsWith('pglite:') ? url.slice('pglite:'.length) : undefined
  const what = folder === undefined ? 'the database' : `the folder ${folder}`
  const known = folder === undefined ? onServer : inFolder
  const advice = codesOf(error)
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
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error ? [String(error.code)] : []
  const opening = /unable to open database file|readonly database/.test(error.message) ? ['EACCES'] : []
  const inside = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...code, ...opening, ...inside, ...codesOf(error.cause)]
}
