// Doubles of a database that fail or delay some statements, as an unreachable database does.

import { DrizzleQueryError, is, SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Database } from '../../../src/db/client.ts'

const errorWith = (code: string) => new DrizzleQueryError('', [], Object.assign(new Error('cut'), { code }))

/** @param kind the methods that fail @param times how many calls fail in total */
export function failing(database: Database, times: number, kind: RegExp): Database {
  let left = times
  const fail = () => {
    left -= 1
    throw errorWith('CONNECTION_CLOSED')
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

interface Failure {
  /** Whether the statement is executed and only its answer is lost. */
  readonly isExecuted?: boolean
  /** The error code; by default that of a lost connection. */
  readonly code?: string
}

const dialect = new PgDialect()
const isMeant = (statement: unknown, kind: RegExp) =>
  is(statement, SQL) && kind.test(dialect.sqlToQuery(statement).sql)

type Given = Parameters<Database['execute']>

/** Does something else for some `execute`d statements. @param kind their texts */
function instead(database: Database, kind: RegExp, act: (...given: Given) => unknown): Database {
  const execute = (...given: Given) => (isMeant(given[0], kind) ? act(...given) : database.execute(...given))
  return new Proxy(database, {
    get: (db, name) => (name === 'execute' ? execute : Reflect.get(db, name)),
  })
}

/** @param kind the texts of the `execute`d statements that fail @param times how many of them fail in total */
export function failingStatements(
  database: Database,
  times: number,
  kind: RegExp,
  { isExecuted = false, code = 'CONNECTION_CLOSED' }: Failure = {},
): Database {
  let left = times
  return instead(database, kind, async (...given) => {
    if (left === 0) return database.execute(...given)
    left -= 1
    if (isExecuted) await database.execute(...given)
    throw errorWith(code)
  })
}

/** A database that answers some `execute`d statements only after `opened`. @param kind their texts @param begun called for each of them */
export const delayingStatements = (
  database: Database,
  kind: RegExp,
  opened: Promise<void>,
  begun: () => void,
): Database =>
  instead(database, kind, async (...given) => {
    const answer = await database.execute(...given)
    begun()
    await opened
    return answer
  })
