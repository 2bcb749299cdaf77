// A database that knows which of its statements are not answered yet.

import type { Database } from '../../../src/db/client.ts'

export interface InFlight {
  readonly db: Database
  /** Resolves when each statement is answered, whether it was given to `execute` or built by `select`, `update` and so on. */
  none(): Promise<void>
}

export function inFlight(database: Database): InFlight {
  const running = new Set<Promise<unknown>>()
  const count = (statement: Promise<unknown>) => {
    const ended = () => void running.delete(statement)
    running.add(statement)
    statement.then(ended, ended)
    return statement
  }
  return {
    db: counting(database, count),
    async none() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

type Count = (statement: Promise<unknown>) => Promise<unknown>

/** @param value a database, or a statement that is being built: it is sent on the first `then` */
function counting<T extends object>(value: T, count: Count): T {
  return new Proxy(value, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        if (name === 'then') {
          const answer = new Promise((...settle) => Reflect.apply(method, target, settle))
          return Reflect.apply(Promise.prototype.then, count(answer), given)
        }
        const made: unknown = Reflect.apply(method, target, given)
        return isStatement(made) ? counting(made, count) : made
      }
    },
  })
}

const isStatement = (made: unknown): made is object =>
  typeof made === 'object' &&
  made !== null &&
  ('then' in made || 'from' in made || 'set' in made || 'values' in made)
