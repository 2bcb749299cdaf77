// A database that records its statements.

import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'

export function observedDatabase(url: string) {
  const statements: string[] = []
  const client = postgres(url, {
    onnotice: () => undefined,
    fetch_types: false,
    debug: (_, text) => void statements.push(text),
  })
  return { db: drizzle({ client }), statements, close: () => client.end({ timeout: 5 }) }
}
