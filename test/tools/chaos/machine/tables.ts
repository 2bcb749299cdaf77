// Lists the tables of the app.

import type { Sql } from 'postgres'

export async function tablesOf(sql: Sql): Promise<string[]> {
  const found = await sql`select tablename from pg_tables where schemaname = 'public'`
  return found.map(({ tablename }) => String(tablename))
}
