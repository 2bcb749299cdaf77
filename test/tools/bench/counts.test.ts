// The numbers of statements and requests per unit of work stay within their bounds (count/bounds.ts). `npm run bench -- --count`
// prints the numbers.

import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bounds } from './count/bounds.ts'
import { type Count, type CountName, countAll, countNames, reportOf, totals } from './count/count.ts'
import { countStatements } from './count/statements.ts'
import { createTally, per, shortened, without } from './count/tally.ts'
import { type Databases, openDatabases } from './machine/database.ts'
import { createLauncher } from './machine/launcher.ts'

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases(inject('postgresUrl'))
})
afterAll(() => databases.close())

describe('the app', () => {
  const launcher = createLauncher({ isPinned: false })
  afterAll(() => launcher.stopAll())
  /**
   * The most counts of one unit. A busy machine can only add calls (a slow delivery shows its progress, a late callback is preceded by a
   * poll), so a count above its bounds is repeated.
   */
  const most = 3
  const counts: Count[] = []
  const isWithin = (one: Count) => {
    const { statements, requests } = totals(one)
    return statements <= bounds[one.name].statements && requests <= bounds[one.name].requests
  }
  const countedWithin = (name: CountName) => counts.find((one) => one.name === name && isWithin(one))
  beforeAll(async () => {
    for (let at = 0; at < most && !countNames.every(countedWithin); at += 1) {
      const counting = countAll({ isQuick: true, databases, launcher })
      counts.push(...(await Promise.race([counting, launcher.failed])))
    }
  })

  it.each(countNames)('needs at most the allowed statements and requests for %s', (name) => {
    const all = counts.filter((one) => one.name === name)
    const found = countedWithin(name)
    expect(found, reportOf(all)).toBeDefined()
    expect(found && totals(found).statements).toBeGreaterThan(0)
  })
})

describe('a count', () => {
  it('contains every statement that passes the relay, by its text', async () => {
    const tally = createTally()
    const relay = await countStatements(await databases.create(), tally)
    const sql = postgres(relay.url, { max: 1, fetch_types: false })
    for (const n of [1, 2, 3]) await sql`select ${n}::integer + 1`
    await sql.unsafe('select 1')
    await sql.unsafe('select $1::text', ['x'.repeat(200_000)])
    await sql.begin((one) => one`select 2`)
    await sql.end()
    relay.close()
    const counted = [...tally.take()].filter(([text]) => !text.includes('pg_catalog'))
    expect(Object.fromEntries(counted)).toEqual({
      'select $1::integer + 1': 3,
      'select 1': 1,
      'select $1::text': 1,
      'begin ': 1,
      'select 2': 1,
      commit: 1,
    })
  })

  it('is per unit of work, less the statements of an idle process in the same time', () => {
    const idle = new Map([
      ['claim', 1.5],
      ['sweep', 0.01],
    ])
    const calls = new Map([
      ['claim', 23],
      ['sweep', 1],
      ['work', 10],
    ])
    expect([...per(10, without(idle, 2, calls))]).toEqual([
      ['claim', 2],
      ['sweep', 0],
      ['work', 1],
    ])
  })

  it('shows statements without their columns and parameters', () => {
    expect(shortened('select "a"."b", "a"."c", "a"."d", "a"."e"\n from "a" where x in ($1, $2)')).toBe(
      'select … from a where x in ($)',
    )
  })
})
