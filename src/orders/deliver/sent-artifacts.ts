// Which artifacts of a generation are in the chat. Each send is written right after it, so that the next attempt sends only what
// is missing. An artifact with a message id is sent. One with a file id alone is partly sent: of a 3D model only its picture, of
// the last picture of an album everything but the caption below the album.

import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Message } from 'grammy/types'
import type { FileFacts } from '../../catalog/field.ts'
import { throughOutages } from '../../db/outage.ts'
import { artifacts, generations } from '../../db/schema.ts'
import { measuresOf } from '../../telegram/files.ts'
import { readArtifacts } from '../artifacts.ts'
import { type Artifact, deliveryIs, type Generation } from '../generation.ts'
import type { DeliveryDeps } from './job.ts'

type Deps = Pick<DeliveryDeps, 'db' | 'clock' | 'log'>

export async function artifactsOf(
  { db }: Pick<Deps, 'db'>,
  generationId: string,
): Promise<readonly Artifact[]> {
  return (await readArtifacts(db, [generationId])).get(generationId) ?? []
}

export const isUnsent = ({ messageId }: Artifact): boolean => messageId === null
export const isPartlySent = ({ messageId, fileId }: Artifact): boolean =>
  messageId === null && fileId !== null

/** Checked before each send: minutes may pass between two sends, and a worker that has lost its lease must send nothing more. */
export async function holdsLease(
  { db }: Pick<Deps, 'db'>,
  { id, lease }: Pick<Generation, 'id' | 'lease'>,
): Promise<boolean> {
  const isHeld = and(eq(generations.id, id), sql`${generations.lease} is not distinct from ${lease}`)
  return (await db.$count(generations, isHeld)) > 0
}

/** Telegram makes a JPEG of every photo. */
export const photoMime = 'image/jpeg'

/** Writes what is known of an artifact since it was sent. An outage of the database only delays it: else the file would be sent again. */
export async function record(
  deps: Deps,
  { generationId, position }: Artifact,
  change: PgUpdateSetSource<typeof artifacts>,
  condition?: SQL,
): Promise<void> {
  const isRow = and(eq(artifacts.generationId, generationId), eq(artifacts.position, position), condition)
  const statement = deps.db.update(artifacts).set(change).where(isRow).getSQL()
  await throughOutages(deps, () => deps.db.execute(statement))
}

/**
 * Records the file id of an artifact that was sent again into some chat. Its message id is not written, since that would say that the
 * result arrived in the chat of its order. During a delivery nothing is written: the delivery would take a file id for a part that it sent.
 */
export function recordResent(deps: Deps, artifact: Artifact, { message, ...sent }: Sent): Promise<void> {
  const isDelivering = sql`exists (
    select from ${generations} where ${eq(generations.id, artifact.generationId)} and ${deliveryIs('pending')})`
  return record(deps, artifact, fileOf(message, sent), sql`not ${isDelivering}`)
}

/**
 * Records the pictures of an album: the last one is not done before its caption. Rows that another worker has completed meanwhile are left
 * unchanged.
 */
export async function recordAlbum(
  deps: Deps,
  album: readonly Artifact[],
  messages: readonly SentMessage[],
): Promise<void> {
  for (const [at, message] of messages.entries()) {
    const one = album[at]
    if (!one) return
    const messageId = at < album.length - 1 ? message.message_id : null
    const file = fileOf(message, { kind: 'image', known: { mime: photoMime } })
    await record(deps, one, { ...file, messageId }, isNull(artifacts.messageId))
  }
}

/** The fields that are read from a sent message with an artifact. */
export type SentMessage = Pick<Message, 'message_id'> &
  Partial<Pick<Message, 'video' | 'voice' | 'audio' | 'document' | 'photo'>>

/** A message with an artifact, by whose file id the artifact can be sent again, for free. */
export interface Sent {
  readonly message: SentMessage
  readonly kind: Artifact['kind']
  /** What was known of the file when it was sent: its type, by its bytes, and sizes that Telegram does not give for documents. */
  readonly known?: FileFacts | undefined
}

/** Telegram's sizes count more than those that were known: it may have converted the file. */
export function fileOf(message: SentMessage, { kind, known }: Omit<Sent, 'message'>) {
  const { video, voice, audio, document, photo } = message
  const file = video ?? voice ?? audio ?? document ?? photo?.at(-1)
  return {
    fileId: file?.file_id ?? null,
    kind,
    facts: file && known ? { ...known, ...measuresOf(file) } : null,
    // A document is the file as it was made.
    ...(document ? { originalFileId: document.file_id } : {}),
  }
}
