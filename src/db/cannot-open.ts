// Why a database cannot be opened, as a sentence for the operator.

import { CannotStart } from '../runtime/cannot-start.ts'
import { causesOf } from '../runtime/log.ts'
import { FolderInUse } from './folder-lock.ts'

const onServer: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no database answers at this address: start it, or correct the host and the port',
  ENOTFOUND: 'its host is not known: correct the host',
  EAI_AGAIN: 'its host is not known at the moment: correct the host, or check the network',
  ETIMEDOUT: 'it does not answer: check the host, the port and the firewall',
  EHOSTUNREACH: 'it cannot be reached: check the host and the network',
  CONNECT_TIMEOUT: 'it does not answer: check the host, the port and the firewall',
  '28P01': 'it refuses the user or the password: correct them',
  '28000': 'it refuses the user: correct it, or allow it in pg_hba.conf',
  '3D000': 'a database of this name does not exist: create it with createdb, or correct the name',
  '42501': 'the user may not create tables: make it the owner of the database',
  '53300': 'it has no connection left: raise max_connections, or stop other programs',
  '57P03': 'it is starting up: try again in a moment',
}

const inFolder: Readonly<Record<string, string>> = {
  EACCES: 'may not be written by this user: change its owner, or write another folder',
  EPERM: 'may not be written by this user: change its owner, or write another folder',
  EROFS: 'is on a disk that is read only: write another folder',
  ENOTDIR: 'leads through a file: write another folder',
  EEXIST: 'is a file: write another folder',
  ENOSPC: 'is on a full disk: make room, or write another folder',
}

/** @param url contains a password, so no part of it is repeated but the folder of an embedded database */
export function cannotOpen(error: unknown, url: string): CannotStart {
  return new CannotStart(`DATABASE_URL: ${problemOf(error, url)}`, { cause: error })
}

function problemOf(error: unknown, url: string): string {
  if (error instanceof FolderInUse) return error.message
  const known = codesOf(error)
  const folder = url.startsWith('pglite:') ? url.slice('pglite:'.length) : undefined
  const all = folder === undefined ? onServer : inFolder
  const said = known.map((code) => all[code]).find((one) => one !== undefined)
  const subject = folder === undefined ? 'the database cannot be used, ' : `the folder ${folder} `
  return said ? subject + said : `the database cannot be opened: ${causesOf(error).at(-1)}`
}

/** Of the error and its causes; the folder lock of SQLite has no code of its own for a folder that cannot be written. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error ? [String(error.code)] : []
  const opening = /unable to open database file|readonly database/.test(error.message) ? ['EACCES'] : []
  const inside = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...code, ...opening, ...inside, ...codesOf(error.cause)]
}
