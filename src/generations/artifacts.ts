// The files of generations.

import { getColumns, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { readRows, rowReader } from '../db/row-reader.ts'
import { artifacts } from '../db/schema.ts'
import { isAnyOf } from '../db/sql.ts'
import type { Artifact } from './generation.ts'

const artifactRow = rowReader(getColumns(artifacts))

/** @returns the files of each generation, in order; none of a generation without files */
export async function readArtifacts(
  db: Database,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Artifact[]>> {
  const { generationId, position } = artifacts
  const statement = sql`
    select ${artifactRow.columnsOf('artifacts')} from ${artifacts}
    where ${isAnyOf(generationId, generationIds)} order by ${position}`
  const found = await readRows(db, statement, artifactRow)
  const files = new Map<string, Artifact[]>(generationIds.map((id) => [id, []]))
  for (const [file] of found) files.get(file.generationId)?.push(file)
  return files
}
