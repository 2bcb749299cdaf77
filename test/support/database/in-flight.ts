// A database that knows which of its statements are not answered yet.

import type { Database } from '../../../src/db/client.ts'

export interface InFlight {
  readonly db: Database
  /** Resolves when each statement that was given to `execute` is answered. */
  none(): Promise<void>
}

export function inFlight(database: Database): InFlight {
  const running = new Set<Promise<unknown>>()
  const db = new Proxy(database, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        const begun: unknown = Reflect.apply(method, target, given)
        if (name !== 'execute') return begun
        const statement = Promise.resolve(begun)
        const ended = () => void running.delete(statement)
        running.add(statement)
        statement.then(ended, ended)
        return statement
      }
    },
  })
  return {
    db,
    async none() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
