// A database that does something after each read, as another process may between two statements.

import type { Database } from '../../../src/db/client.ts'

type Act = (rows: unknown) => Promise<void>

/** @param act is done after each `select` of Drizzle, before its caller gets the rows */
export const afterReads = (database: Database, act: Act): Database =>
  new Proxy(database, {
    get(db, name) {
      const method: unknown = Reflect.get(db, name)
      if (name !== 'select' || typeof method !== 'function') return method
      return (...given: unknown[]) => acting(Reflect.apply(method, db, given), act)
    },
  })

/** A query, each step of which returns a query; `then` executes it. */
function acting(query: unknown, act: Act): unknown {
  if (typeof query !== 'object' || query === null) return query
  return new Proxy(query, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (name !== 'then') return (...given: unknown[]) => acting(Reflect.apply(method, target, given), act)
      const read = async () => {
        const rows: unknown = await target
        await act(rows)
        return rows
      }
      return (...on: Parameters<Promise<unknown>['then']>) => read().then(...on)
    },
  })
}
