// The files of generations.

import type { Database } from '../db/client.ts'
import { artifacts } from '../db/schema.ts'
import { isAnyOf } from '../db/sql.ts'
import type { Artifact } from './generation.ts'

/** @returns the files of each generation, in order; none of a generation without files */
export async function readArtifacts(
  db: Database,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Artifact[]>> {
  const { generationId, position } = artifacts
  const found = await db
    .select()
    .from(artifacts)
    .where(isAnyOf(generationId, generationIds))
    .orderBy(position)
  const files = new Map<string, Artifact[]>(generationIds.map((id) => [id, []]))
  for (const file of found) files.get(file.generationId)?.push(file)
  return files
}
