// Runs functions of the app in one transaction that is rolled back, and records the plan or the measurements of each statement.

import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type MaybeRow, type PendingQuery, type Sql } from 'postgres'
import { z } from 'zod'
import type { Database } from '../../../src/db/client.ts'

export interface Observed {
  readonly statement: string
  /** The time of planning and execution. */
  readonly ms: number
  /** The time of the seventh execution as a prepared statement, when PostgreSQL may have chosen a generic plan. */
  readonly preparedMs: number
  /** The number of 8 kB pages read from the cache and from the disk. */
  readonly pages: number
  readonly rows: number
  readonly plan: string
  /** Names of the indexes in the plan. */
  readonly indexes: readonly string[]
}

const executions = 7
/** Slower statements are not repeated. */
const slowMs = 1000

export interface Observatory {
  /** @param before SQL that is not recorded */
  observe(work: (db: Database) => Promise<unknown>, before?: string): Promise<readonly Observed[]>
  close(): Promise<void>
}

interface Settings {
  /** SQL that is executed in the connection first. */
  readonly settings: string
  /** Whether statements are measured; otherwise they are planned, and run once as the app runs them. */
  readonly isMeasured: boolean
}

export async function openObservatory(url: string, { settings, isMeasured }: Settings): Promise<Observatory> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false })
  await client.unsafe(settings)
  return {
    async observe(work, before = '') {
      const observed: Observed[] = []
      await client.unsafe('begin')
      try {
        await client.unsafe(before)
        await work(drizzle({ client: observing(client, observed, isMeasured ? measure : plan) }))
      } finally {
        await client.unsafe('rollback')
      }
      return observed
    },
    close: () => client.end({ timeout: 5 }),
  }
}

/** Observes each statement of a client. The app may send several statements at once; here they run one after another. */
function observing(client: Sql, observed: Observed[], observe: Observe): Sql {
  let before: Promise<unknown> = Promise.resolve()
  const first = (text: string, parameters: Parameters) => () => {
    const explained = before.then(async () => {
      observed.push(await observe(client, text, parameters))
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

/** Runs `first` before a query. A query of postgres.js is a promise that is executed on the first `then`. */
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
type Observe = (client: Sql, text: string, parameters: Parameters) => Promise<Observed>

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string | undefined
  readonly 'Index Name'?: string | undefined
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans: readonly Node[]
}

const measured = z.number().default(0)
const node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': measured,
    'Shared Hit Blocks': measured,
    'Shared Read Blocks': measured,
    Plans: z.array(node).default([]),
  }),
)
const explained = z.tuple([z.object({ Plan: node, 'Planning Time': measured, 'Execution Time': measured })])

async function explain(
  client: Sql,
  options: string,
  text: string,
  parameters: Parameters,
): Promise<Observed> {
  const [row] = await undone(client, () =>
    client.unsafe(`explain (${options}, format json) ${text}`, parameters),
  )
  const stored: unknown = row?.['QUERY PLAN']
  const [{ Plan: root, ...times }] = explained.parse(typeof stored === 'string' ? JSON.parse(stored) : stored)
  const ms = times['Planning Time'] + times['Execution Time']
  const nodes = nodesOf(root)
  return {
    statement: text.replaceAll(/\s+/g, ' ').trim(),
    ms,
    preparedMs: ms,
    pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    rows: root['Actual Rows'],
    plan: nodes.map(({ line }) => line).join('\n'),
    indexes: nodes.flatMap(({ index }) => index ?? []),
  }
}

const plan: Observe = (client, text, parameters) => explain(client, 'costs', text, parameters)

const measure: Observe = async (client, text, parameters) => {
  const observed = await explain(client, 'analyze, buffers', text, parameters)
  let { preparedMs } = observed
  for (let run = 1; run <= executions && observed.ms < slowMs; run += 1) {
    await undone(client, async () => {
      const startedAt = performance.now()
      await client.unsafe(text, parameters, { prepare: true })
      preparedMs = performance.now() - startedAt
    })
  }
  return { ...observed, preparedMs }
}

async function undone<T>(client: Sql, work: () => PromiseLike<T>): Promise<T> {
  await client.unsafe('savepoint undone')
  try {
    return await work()
  } finally {
    await client.unsafe('rollback to savepoint undone')
  }
}

function nodesOf(one: Node, indent = ''): { readonly line: string; readonly index: string | undefined }[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: plans } = one
  const about = [type, table && `on ${table}`, index && `by ${index}`, `rows ${one['Actual Rows']}`]
  const line = indent + about.filter(Boolean).join(' ')
  return [{ line, index }, ...plans.flatMap((inner) => nodesOf(inner, `${indent}  `))]
}
