// A database of an earlier version of the app, after some of the migrations, with rows in every table; its upgrade, and a description of its
// schema.

import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres, { type Sql } from 'postgres'
import { expect, inject } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { transferHash } from '../../../src/ledger/checksum.ts'
import { freshUrl } from './database.ts'
import { type Row, story } from './old-story.ts'

const folder = join(import.meta.dirname, '../../../drizzle')

/** The names of all migrations. */
export const names = (await readdir(folder)).toSorted()

export const connect = (url: string): Sql => postgres(url, { max: 1, onnotice: () => undefined })

/** Creates an empty database. @returns its address */
export async function emptyUrl(): Promise<string> {
  const url = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await using sql = closing(connect(url))
  await sql.client.unsafe(`create database ${name}`)
  return url.replace(/\/[^/]*$/, `/${name}`)
}

export const closing = (client: Sql) => ({ client, [Symbol.asyncDispose]: () => client.end() })

/** Applies these migrations only, as an earlier version of the app did. */
export async function migrateTo(client: Sql, names: readonly string[]): Promise<void> {
  const some = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    for (const name of names) await cp(join(folder, name), join(some, name), { recursive: true })
    await migrate(drizzle({ client }), { migrationsFolder: some })
  } finally {
    await rm(some, { recursive: true })
  }
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Whether the column is required. */
  readonly required: boolean
}

export async function columnsOf(client: Sql): Promise<readonly Column[]> {
  return client<Column[]>`
    select table_name as table, column_name as name, udt_name as type,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`
}

const somethingOf: Readonly<Record<string, unknown>> = {
  text: 'x',
  int4: 1,
  int8: 1,
  float8: 1.5,
  bool: false,
  jsonb: '{}',
  timestamptz: '2026-01-02T03:04:05Z',
  date: '2026-01-02',
}

/** Inserts the rows of old-story.ts, and one row in every other table. The balances are computed from the transfers. */
export async function fill(client: Sql): Promise<void> {
  const columns = await columnsOf(client)
  const known = new Set(columns.flatMap(({ table, name }) => [table, `${table}.${name}`]))
  const happened = story.filter(({ table, needs = [] }) => [table, ...needs].every((one) => known.has(one)))
  const silent = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !happened.some((row) => row.table === table),
  )
  for (const row of [...happened, ...silent.map((table) => ({ table, values: {} }))]) {
    await insert(client, columns, row)
  }
  if (known.has('payments.refunded_at')) {
    await client`update payments set refunded_at = created_at where charge_id = 'c2'`
  }
  const isNew = known.has('accounts.checksum')
  const [table, owner, which] = isNew
    ? ['accounts', 'owner_id', "b.kind = 'user' and"]
    : ['balances', 'user_id', '']
  await client.unsafe(`
    update ${table} b set available = s.available, held = s.held from (
      select user_id,
        sum(case 'available' when credit then amount when debit then -amount else 0 end) as available,
        sum(case 'held' when credit then amount when debit then -amount else 0 end) as held
      from transfers group by user_id
    ) s where ${which} s.user_id = b.${owner}`)
  if (isNew)
    await client.unsafe(`
    update ${table} b set checksum = s.checksum
    from (select user_id, bit_xor(${transferHash}) as checksum from transfers group by user_id) s where ${which} s.user_id = b.${owner}`)
  if (isNew)
    await client`
      update accounts a set open_orders = live
      from (select user_id, count(*) as live from generations where settled_at is null group by user_id) g
      where a.kind = 'user' and a.owner_id = g.user_id`
}

async function insert(client: Sql, columns: readonly Column[], { table, values }: Row): Promise<void> {
  const written = columns
    .filter((column) => column.table === table && (column.name in values || column.required))
    .map(({ name, type }) => ({ name, type, value: name in values ? values[name] : somethingOf[type] }))
  const names = written.map(({ name }) => `"${name}"`).join(', ')
  const holders = written.map(({ type }, i) => `$${i + 1}::text::${type}`).join(', ')
  const given = written.map(({ value }) => (value === null || value === undefined ? null : String(value)))
  await client.unsafe(`insert into "${table}" (${names}) values (${holders})`, given)
}

/** All rows of all tables, with the given columns. */
async function contentsOf(client: Sql, columns: readonly Column[]) {
  const contents: Record<string, string[]> = {}
  for (const [table, of] of Map.groupBy(columns, (column) => column.table)) {
    const listed = of.map(({ name }) => `"${name}"`).join(', ')
    const query = `select to_jsonb(one)::text as line from (select ${listed} from "${table}") one order by 1`
    contents[table] = (await client.unsafe(query)).map(({ line }) => String(line))
  }
  return contents
}

/** The description of a schema: tables, columns, indexes and constraints, one line each. */
export async function schemaOf(client: Sql): Promise<string[]> {
  const found = await client`
    select format('column %s.%s %s nullable %s default %s identity %s',
      table_name, column_name, udt_name, is_nullable, column_default, identity_generation) as line
      from information_schema.columns where table_schema = 'public'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select format('constraint %s of %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'function ' || proname || prosrc from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`
  return found.map(({ line }) => String(line))
}

/** The schema of this version. */
export const fresh = await (async () => {
  await using sql = closing(connect(await freshUrl('postgres')))
  return await schemaOf(sql.client)
})()

/** The tables whose rows are in `accounts` now; the audit compares these with the transfers. */
const moved = ['balances', 'wallets']

/** Upgrades a filled database of the schema after so many migrations; its rows, the audit and the schema are as expected afterwards. */
export async function upgrade(count: number): Promise<void> {
  const url = await emptyUrl()
  await using sql = closing(connect(url))
  const { client } = sql
  await migrateTo(client, names.slice(0, count))
  await fill(client)
  const columns = await columnsOf(client)
  const before = await contentsOf(client, columns)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  const { db, close } = await openDatabase(url)
  expect(await audit(db)).toEqual([])
  await close()
  const kept = columns.filter(({ table }) => !moved.includes(table))
  for (const table of moved) delete before[table]
  expect(await contentsOf(client, kept)).toEqual(before)
  expect(await schemaOf(client)).toEqual(fresh)
}
