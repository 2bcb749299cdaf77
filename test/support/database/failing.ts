// A database double that fails some statements as an unreachable database does.

import { DrizzleQueryError } from 'drizzle-orm'
import type { Database } from '../../../src/db/client.ts'

/** @param kind the methods that fail @param times how many calls fail in total */
export function failing(database: Database, times: number, kind: RegExp): Database {
  let left = times
  const fail = () => {
    left -= 1
    throw new DrizzleQueryError('', [], Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }))
  }
  return new Proxy(database, {
    get(db, name) {
      const method: unknown = Reflect.get(db, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) =>
        left > 0 && kind.test(String(name)) ? fail() : Reflect.apply(method, db, given)
    },
  })
}
