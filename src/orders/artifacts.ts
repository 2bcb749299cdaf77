// The files of generations: those of an order, and those of a user that Telegram has, so that they can be sent again into any chat.

import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { columnsOf, readRows } from '../db/row-reader.ts'
import { artifacts, generations } from '../db/schema.ts'
import { isAnyOf } from '../db/sql.ts'
import type { Artifact } from './generation.ts'

/** @returns the files of each generation, in order; none of a generation without files */
export async function readArtifacts(
  db: Database,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Artifact[]>> {
  const statement = sql`
    select ${columnsOf(artifacts, 'artifacts')} from ${artifacts}
    where ${isAnyOf(artifacts.generationId, generationIds)} order by position`
  const found = await readRows(db, artifacts, statement)
  const files = new Map<string, Artifact[]>(generationIds.map((id) => [id, []]))
  for (const file of found) files.get(file.generationId)?.push(file)
  return files
}

export interface DeliveredFile {
  readonly generationId: string
  readonly position: number
  readonly fileId: string
  readonly originalFileId: string | null
  readonly kind: Artifact['kind']
  readonly modelId: string
  readonly request: Record<string, unknown>
  readonly createdAt: Date
}

/** The files of the newest orders first, without orders that the user removed from the list; the files of one order by position. */
export async function deliveredFiles(db: Database, userId: bigint, most: number): Promise<DeliveredFile[]> {
  // A file without a message is only the picture of a 3D model.
  const isDelivered = and(isNotNull(artifacts.fileId), isNotNull(artifacts.messageId))
  const found = await db
    .select({
      generationId: generations.id,
      position: artifacts.position,
      fileId: artifacts.fileId,
      originalFileId: artifacts.originalFileId,
      kind: artifacts.kind,
      modelId: generations.modelId,
      request: generations.request,
      createdAt: generations.createdAt,
    })
    .from(generations)
    .innerJoin(artifacts, and(eq(artifacts.generationId, generations.id), isDelivered))
    .where(and(eq(generations.userId, userId), isNull(generations.hiddenAt)))
    .orderBy(desc(generations.createdAt), desc(generations.id), artifacts.position)
    .limit(most)
  return found.flatMap(({ fileId, ...file }) => (fileId === null ? [] : { ...file, fileId }))
}
