// Reads the rows of statements that are written as SQL, with the columns and types of a table, as Drizzle's queries do.

import { getColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './client.ts'

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
