// Measures the statements of the app on a database of a given size, against its own PostgreSQL: docs/benchmarks.md, "Growth".
//   --url postgres://…    an empty database to fill, or one that was filled before
//   --scale 0.01          the amount of seeded rows, relative to two years of a large installation
//   --only text           only cases whose name contains the text
//   --settings sql        SQL for the connection, like `set enable_seqscan = off`
//   --plans               prints the plans

import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { openDatabase } from '../../../src/db/client.ts'
import { cases, depsOf } from './cases.ts'
import { findRows } from './found.ts'
import { type Observed, openObservatory } from './observe.ts'
import { seed } from './seed.ts'

const text = { type: 'string' } as const
const { values: flags } = parseArgs({
  options: { url: text, scale: text, only: text, settings: text, plans: { type: 'boolean', default: false } },
})
const { url, scale = '0.01', only = '', settings = '', plans } = flags
if (!url) throw new Error('--url takes the address of a database')

const say = (line: string) => void process.stdout.write(`${line}\n`)

await (await openDatabase(url)).close()
await using client = closing()
const { sql } = client
await sql.unsafe(`set work_mem = '256MB'`)
const [users] = await sql`select count(*)::integer as count from users`
if (users?.count === 0) {
  let at = performance.now()
  await seed(sql, Number(scale), (step) => {
    say(`seeded: ${step}, ${((performance.now() - at) / 1000).toFixed(1)} s`)
    at = performance.now()
  })
}
const found = await findRows(sql)
const { observe, close } = await openObservatory(url, { settings, isMeasured: true })
for (const { name, run, before } of cases) {
  if (!name.includes(only)) continue
  const startedAt = performance.now()
  const observed = await observe((db) => run({ ...found, deps: depsOf(db, found.now) }), before)
  say(lineOf(name, observed, performance.now() - startedAt))
  for (const one of observed) detail(one)
}
await close()

function closing() {
  const opened = postgres(url ?? '', { max: 1, onnotice: () => undefined })
  return { sql: opened, [Symbol.asyncDispose]: () => opened.end() }
}

function lineOf(name: string, observed: readonly Observed[], ms: number): string {
  const sum = (of: (one: Observed) => number) => observed.reduce((total, one) => total + of(one), 0)
  const figures = [
    `${observed.length} statements`,
    `${sum((one) => one.ms).toFixed(1)} ms`,
    `prepared ${sum((one) => one.preparedMs).toFixed(1)} ms`,
    `${sum((one) => one.pages)} pages`,
    `${(ms / 1000).toFixed(1)} s in all`,
  ]
  return `${name}: ${figures.join(', ')}`
}

function detail({ statement, ms, preparedMs, pages, rows, plan }: Observed): void {
  const isSlow = ms > 20 || preparedMs > 20 || pages > 2000
  if (isSlow || plans) {
    say(
      `    ${ms.toFixed(1)} ms, ${preparedMs.toFixed(1)} ms, ${pages} pages, ${rows} rows: ${statement.slice(0, 160)}`,
    )
  }
  if (plans) say(plan.replaceAll(/^/gm, '      '))
}
