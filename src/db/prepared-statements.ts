// Prepares all statements. Drizzle sends statements written as SQL unprepared, so that PostgreSQL plans them anew each time, which is a
// quarter of its work. postgres.js names each text once in a connection, and connections are replaced within the hour, which bounds the
// number of names.

import type { Sql } from 'postgres'
import { withUnsafe } from './around-statements.ts'

/**
 * An option of postgres.js that its types lack: whether further statements may be sent in the same connection before the answer. When a
 * migration has changed the result of a prepared statement, the driver prepares it anew, and all statements that wait behind it would hang.
 */
const aloneInConnection = { onexecute: () => false }

/** @returns the client with prepared statements in `unsafe`, which Drizzle uses for all statements outside of transactions */
export function withPreparedStatements(client: Sql): Sql {
  return withUnsafe(client, (text, parameters, options) =>
    client.unsafe(text, parameters, { ...options, ...aloneInConnection, prepare: true }),
  )
}
