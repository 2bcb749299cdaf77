// Reads the rows of statements that are written as SQL, with the columns and types of the schema. Drizzle's query builder lists and maps
// the columns anew for each execution, which takes longer than the rest of a statement; a reader does it once, at the start. The most
// frequent statements of an order are read this way.

import assert from 'node:assert/strict'
import { type GetColumnData, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './client.ts'

type Columns = Readonly<Record<string, PgColumn>>

/** Reads some consecutive values of a row. */
interface Reader<Value> {
  /** The number of values. */
  readonly width: number
  /** @param at the index of the first value */
  read(values: readonly unknown[], at: number): Value
}

interface RowReader<Row> extends Reader<Row> {
  /** The list of the columns. @param name the table, the alias or the part of the statement that has them */
  columnsOf(name: string): SQL
}

type Decode = ((value: string | number | bigint) => unknown) | undefined

/** How the values of the drivers become those of the schema, by the type of the column; undefined where they are the same. */
const decoders: Readonly<Record<string, Decode>> = {
  'object date': (value) => new Date(String(value)),
  'number int53': Number,
  'bigint int64': BigInt,
  'object json': undefined,
  'string date': undefined,
  'number int32': undefined,
  'number double': undefined,
  string: undefined,
  'string enum': undefined,
  boolean: undefined,
}

function decoderOf({ name, dataType }: PgColumn): Decode {
  assert(dataType in decoders, `the column ${name} has a type that readers know`)
  return decoders[dataType]
}

/** A reader of rows with these columns. */
export function rowReader<C extends Columns>(
  columns: C,
): RowReader<{ readonly [Name in keyof C]: GetColumnData<C[Name]> }> {
  const names = Object.keys(columns)
  const decoded = Object.values(columns).map(decoderOf)
  // An object from JSON.parse has a hidden class, and so has each copy of it. An object that gets as many properties one by one becomes a
  // slow dictionary.
  const blank: Record<string, unknown> = JSON.parse(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))),
  )
  const lists = new Map<string, SQL>()
  return {
    width: names.length,
    columnsOf(name) {
      const list = lists.get(name) ?? listOf(name, Object.values(columns))
      lists.set(name, list)
      return list
    },
    read(values, at) {
      const row = { ...blank }
      let index = 0
      for (const name of names) {
        const value = values[at + index]
        const decode = decoded[index]
        row[name] = decode && isEncoded(value) ? decode(value) : value
        index += 1
      }
      return row as { readonly [Name in keyof C]: GetColumnData<C[Name]> }
    },
  }
}

const isEncoded = (value: unknown): value is string | number | bigint => value !== null

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const listOf = (name: string, columns: readonly PgColumn[]): SQL =>
  sql.raw(columns.map((column) => `${quoted(name)}.${quoted(column.name)}`).join(', '))

/** Reads a boolean expression. */
export const flag: Reader<boolean> = { width: 1, read: (values, at) => values[at] === true }

/** The rows of one side of an outer join: undefined where its first column, which has no nulls, is null. */
export const joined = <Row>({ width, read }: Reader<Row>): Reader<Row | undefined> => ({
  width,
  read: (values, at) => (values[at] === null ? undefined : read(values, at)),
})

type Readers<Values extends readonly unknown[]> = { readonly [At in keyof Values]: Reader<Values[At]> }

/** Executes a statement. @param readers read the values of each row, in the order of the statement's list */
export async function readRows<Values extends readonly unknown[]>(
  db: Database,
  statement: SQL,
  ...readers: Readers<Values>
): Promise<Values[]> {
  const found = await db.execute(statement, 'arrays')
  return found.map((values) => {
    let at = 0
    const read = readers.map((reader) => {
      at += reader.width
      return reader.read(values, at - reader.width)
    })
    assert(at === values.length, 'the readers read the whole row')
    return read as unknown as Values
  })
}
