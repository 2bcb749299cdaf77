// Runs functions of the app in one transaction that is rolled back, and records the plan, the time and the pages of each statement.

import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type MaybeRow, type PendingQuery, type Sql } from 'postgres'
import { z } from 'zod'
import type { Database } from '../../../src/db/client.ts'

export interface Observed {
  readonly statement: string
  /** Planning and execution. */
  readonly ms: number
  /** The same statement prepared, at the seventh execution, when PostgreSQL may have chosen a generic plan. */
  readonly preparedMs: number
  /** 8 kB pages, from the cache and from the disk. */
  readonly pages: number
  readonly rows: number
  readonly plan: string
}

const executions = 7
/** Slower statements are not repeated. */
const slowMs = 1000

export interface Observatory {
  /** @param before SQL that is not recorded */
  observe(work: (db: Database) => Promise<unknown>, before?: string): Promise<readonly Observed[]>
  close(): Promise<void>
}

/** @param settings SQL, executed in the connection first */
export async function openObservatory(url: string, settings: string): Promise<Observatory> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false })
  await client.unsafe(settings)
  return {
    async observe(work, before = '') {
      const observed: Observed[] = []
      await client.unsafe('begin')
      try {
        await client.unsafe(before)
        await work(drizzle({ client: observing(client, observed) }))
      } finally {
        await client.unsafe('rollback')
      }
      return observed
    },
    close: () => client.end({ timeout: 5 }),
  }
}

/** The app may send several statements at once; here one follows the other. */
function observing(client: Sql, observed: Observed[]): Sql {
  let before: Promise<unknown> = Promise.resolve()
  const first = (text: string, parameters: Parameters) => () => {
    const explained = before.then(async () => {
      observed.push(await explain(client, text, parameters))
    })
    before = explained.catch(() => undefined)
    return explained
  }
  const unsafe: Sql['unsafe'] = (text, parameters = [], options) =>
    preceded(client.unsafe(text, parameters, { ...options, prepare: true }), first(text, parameters))
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** A query of postgres.js is a promise that is executed on the first `then`. */
function preceded<T extends readonly MaybeRow[]>(
  query: PendingQuery<T>,
  first: () => Promise<void>,
): PendingQuery<T> {
  const execute = query.then.bind(query)
  // biome-ignore lint/suspicious/noThenProperty: the query is a promise already; only its start is put off
  query.then = (onAnswer, onFailure) =>
    first()
      .then(() => execute((found) => found))
      .then(onAnswer, onFailure)
  return query
}

type Parameters = NonNullable<globalThis.Parameters<Sql['unsafe']>[1]>

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string | undefined
  readonly 'Index Name'?: string | undefined
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Node[] | undefined
}

const node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(node).optional(),
  }),
)
const explained = z.tuple([
  z.object({ Plan: node, 'Planning Time': z.number(), 'Execution Time': z.number() }),
])

async function explain(client: Sql, text: string, parameters: Parameters): Promise<Observed> {
  const [row] = await undone(client, () =>
    client.unsafe(`explain (analyze, buffers, format json) ${text}`, parameters),
  )
  const stored: unknown = row?.['QUERY PLAN']
  const [{ Plan: plan, ...times }] = explained.parse(typeof stored === 'string' ? JSON.parse(stored) : stored)
  const ms = times['Planning Time'] + times['Execution Time']
  let preparedMs = ms
  for (let run = 1; run <= executions && ms < slowMs; run += 1) {
    await undone(client, async () => {
      const startedAt = performance.now()
      await client.unsafe(text, parameters, { prepare: true })
      preparedMs = performance.now() - startedAt
    })
  }
  return {
    statement: text.replaceAll(/\s+/g, ' ').trim(),
    ms,
    preparedMs,
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: plan['Actual Rows'],
    plan: linesOf(plan, '').join('\n'),
  }
}

async function undone<T>(client: Sql, work: () => PromiseLike<T>): Promise<T> {
  await client.unsafe('savepoint undone')
  try {
    return await work()
  } finally {
    await client.unsafe('rollback to savepoint undone')
  }
}

function linesOf(one: Node, indent: string): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: plans = [] } = one
  const about = [type, table && `on ${table}`, index && `by ${index}`, `rows ${one['Actual Rows']}`]
  return [
    indent + about.filter(Boolean).join(' '),
    ...plans.flatMap((inner) => linesOf(inner, `${indent}  `)),
  ]
}
