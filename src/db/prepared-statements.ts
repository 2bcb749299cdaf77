// Prepares all statements. Drizzle sends statements written as SQL unprepared, so that PostgreSQL plans them anew each time, which is a
// quarter of its work. postgres.js names each text once in a connection, and connections are replaced within the hour, which bounds the
// number of names.

/**
 * An option of postgres.js that its types lack: whether further statements may be sent in the same connection before the answer. When a
 * migration has changed the result of a prepared statement, the driver prepares it anew, and all statements that wait behind it would hang.
 */
const aloneInConnection = { onexecute: () => false }

/** Options for `unsafe`, which Drizzle uses for all statements outside of transactions. */
export const prepared = { ...aloneInConnection, prepare: true } as const
