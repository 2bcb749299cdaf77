// One place to change how the statements of a client are executed. Drizzle sends all statements outside of transactions by `unsafe`; a
// query of postgres.js is a promise that is executed on the first `then`.

import type { MaybeRow, PendingQuery, RowList, Sql, UnsafeQueryOptions } from 'postgres'

type Rows = readonly MaybeRow[]

/** @param execute executes the statement; each further call executes it anew */
export type Around = <T extends Rows>(execute: () => Promise<RowList<T>>) => Promise<RowList<T>>

/** Composes two wrappers: `outer` wraps `inner`, which wraps the execution. */
export const composed =
  (outer: Around, inner: Around): Around =>
  (execute) =>
    outer(() => inner(execute))

/**
 * @param added options of all statements
 * @returns the client whose statements get their answers from `around`
 */
export function aroundStatements(client: Sql, around: Around, added?: UnsafeQueryOptions): Sql {
  const unsafe: Sql['unsafe'] = (text, parameters, options) => {
    const all = added ? { ...options, ...added } : options
    return wrapped(() => client.unsafe(text, parameters, all), around)
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

function wrapped<T extends Rows>(make: () => PendingQuery<T>, around: Around): PendingQuery<T> {
  const query = make()
  const execute = executions(query, make)
  let answer: Promise<RowList<T>> | undefined
  // biome-ignore lint/suspicious/noThenProperty: the query is a promise already; only its execution is changed
  query.then = (onAnswer, onFailure) => {
    answer ??= around(execute)
    return answer.then(onAnswer, onFailure)
  }
  return query
}

function executions<T extends Rows>(query: PendingQuery<T>, make: () => PendingQuery<T>) {
  const [execute, values] = [query.then.bind(query), query.values.bind(query)]
  let isOfValues = false
  query.values = () => {
    isOfValues = true
    return values()
  }
  const first = () => new Promise<RowList<T>>((resolve, reject) => void execute(resolve, reject))
  const again = async (): Promise<RowList<T>> => {
    const next = make()
    // The rows have the same form as in the first execution. The types do not express this.
    return isOfValues ? ((await next.values()) as unknown as RowList<T>) : next
  }
  let next = first
  return () => {
    const execution = next
    next = again
    return execution()
  }
}
