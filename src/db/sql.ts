// Typed parameters for SQL statements. The casts are needed where PostgreSQL cannot derive the type of a parameter: in `select`,
// `values`, `case` and arithmetic.

import assert from 'node:assert/strict'
import { type Column, type GetColumnData, getColumns, type InferSelectModel, is, SQL, sql } from 'drizzle-orm'
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from './client.ts'

/** A point in time, or one `laterMs` after it. */
export function timestamp(moment: Date | null, laterMs = 0): SQL {
  const value = moment && laterMs !== 0 ? new Date(moment.getTime() + laterMs) : moment
  return sql`${value}::timestamptz`
}

export const bigint = (value: bigint | number | null): SQL => sql`${value}::bigint`
export const integer = (value: number | null): SQL => sql`${value}::integer`

/** Removes NUL characters and replaces lone surrogates: `text` and `jsonb` cannot store them. */
const storable = (value: string): string => value.replaceAll('\0', '').toWellFormed()

/** NUL characters and lone surrogates, as `JSON.stringify` writes them. The same text behind an escaped backslash matches too. */
export const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** The values are looked at one by one only if one of them cannot be stored, which is rare. */
function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!unstorable.test(json)) return json
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner))
}

/**
 * A parameter as `jsonb`. A null becomes the null of SQL, not that of JSON. The parameter is cast to text first: PGlite would encode a
 * `jsonb` parameter as JSON again.
 */
export const jsonb = (value: unknown): SQL => sql`${value === null ? null : storableJson(value)}::text::jsonb`

/** The value as it is read again after it was written by `jsonb`. */
export const asStored = <T>(value: T): T => JSON.parse(storableJson(value))

/** Items separated by commas. */
const list = (items: readonly SQL[]): SQL => sql.join([...items], sql`, `)

/** A part of a statement, a query or a change, which the rest of the statement reads by its name. */
export interface Part {
  readonly name: string
  readonly statement: SQL
}

/** A statement with parts that are executed with it, whether it reads them or not. */
export function withParts(parts: readonly Part[], statement: SQL): SQL {
  if (parts.length === 0) return statement
  const named = parts.map((part) => sql`${sql.identifier(part.name)} as (${part.statement})`)
  return sql`with ${list(named)} ${statement}`
}

/** The assignments of an update. @param change values, or SQL that computes them; undefined values are left out */
export function assignments<T extends PgTable>(table: T, change: PgUpdateSetSource<T>): SQL {
  const columns = getColumns(table)
  const changed = Object.entries(change).filter(([, value]) => value !== undefined)
  return list(
    changed.map(([name, value]) => {
      const column = columns[name]
      assert(column, `the table has a column ${name}`)
      return sql`${sql.identifier(column.name)} = ${is(value, SQL) ? value : sql.param(value, column)}`
    }),
  )
}

/**
 * Compares a column with constants, such as states, that are written into the statement: the planner uses a partial index only when
 * it sees the values of its condition.
 */
export function isOneOf<C extends Column>(
  column: C,
  ...constants: readonly (GetColumnData<C, 'raw'> & string)[]
): SQL {
  const literals = constants.map((one) => sql.raw(`'${one.replaceAll("'", "''")}'`))
  return sql`${column} in (${list(literals)})`
}

// Rows of statements that are written as SQL, read with the columns and types of a table, as Drizzle's queries do.

/** The list of the columns of a table. @param name the alias or the part of the statement that has them */
export const columnsOf = (table: PgTable, name: string): SQL =>
  sql.join(
    Object.values(getColumns(table)).map((one) => sql`${sql.identifier(name)}.${sql.identifier(one.name)}`),
    sql`, `,
  )

/** How the values of the drivers become those of the schema, by the type of the column; those of other types are the same. */
const decoders: Readonly<Record<string, (value: unknown) => unknown>> = {
  'object date': (value) => new Date(String(value)),
  'number int53': Number,
  'bigint int64': (value) => BigInt(String(value)),
}

/** Executes a statement that returns the columns of a table. */
export async function readRows<T extends PgTable>(
  db: Database,
  table: T,
  statement: SQL,
): Promise<InferSelectModel<T>[]> {
  const columns = Object.entries(getColumns(table))
  const found = await db.execute(statement, 'objects')
  return found.map((row) => {
    const values = columns.map(([name, { name: stored, dataType }]) => {
      const value = row[stored]
      return [name, value === null ? null : (decoders[dataType]?.(value) ?? value)]
    })
    return Object.fromEntries(values)
  })
}
