// Whether a statement failed because the database could not be reached or had other things to do: the same statement may
// succeed a little later.

import { DrizzleQueryError } from 'drizzle-orm'

/**
 * Of the driver and the socket; of the server: a statement that took too long (57014), shutting down or starting (57P0x), a lock
 * not granted in time, connections lost (08), resources exhausted (53), a conflict or a deadlock (40).
 */
const passing =
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57014|57P0[1-3]|55P03|08...|53...|40001|40P01)/

export function isOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DrizzleQueryError) return passing.test(codeOf(at.cause))
  }
  return false
}

/** Of the server: data that does not fit its type, a constraint, a statement that it does not understand. */
const refused = /^(22|23|42)/

/** Whether a statement failed at the database in a way that does not rule out that it succeeds later. */
export function maySucceedLater(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DrizzleQueryError) return !refused.test(codeOf(at.cause))
  }
  return false
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''
