// Which artifacts of a generation are in the chat. Each send is written right after it, so that the next attempt sends only what
// is missing. An artifact with a message id is sent. One with a file id alone is partly sent: of a 3D model only its picture, of
// the last picture of an album everything but the caption below the album.

import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Message } from 'grammy/types'
import type { FileFacts } from '../catalog/attachment.ts'
import type { Database } from '../db/client.ts'
import { throughOutages } from '../db/outage.ts'
import { artifacts, generations, type Missing } from '../db/schema.ts'
import { jsonb } from '../db/sql.ts'
import { readArtifacts } from '../generations/artifacts.ts'
import type { Artifact, DeliveryState, Generation } from '../generations/generation.ts'
import type { Clock } from '../runtime/clock.ts'
import { leaseMs } from '../runtime/leases.ts'
import type { Log } from '../runtime/log.ts'
import { measuresOf, type TelegramFile } from '../telegram/files.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

export async function artifactsOf(
  { db }: Pick<Deps, 'db'>,
  generationId: string,
): Promise<readonly Artifact[]> {
  return (await readArtifacts(db, [generationId])).get(generationId) ?? []
}

export const isUnsent = ({ messageId }: Artifact): boolean => messageId === null
export const isPartlySent = ({ messageId, fileId }: Artifact): boolean =>
  messageId === null && fileId !== null

/**
 * For this long after its renewal, the lease of a delivery is certainly held: neither its expiry nor a stop of this process (tracker.ts)
 * ends it.
 */
const certainMs = leaseMs / 2

/** Checked before each send: minutes may pass between two sends, and a worker that has lost its lease must send nothing more. */
export async function holdsLease(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, lease, leaseUntil }: Generation,
): Promise<boolean> {
  const leftMs = (leaseUntil?.getTime() ?? 0) - clock.now().getTime()
  if (leftMs > leaseMs - certainMs && leftMs <= leaseMs) return true
  const held = and(eq(generations.id, id), sql`${generations.lease} is not distinct from ${lease}`)
  return (await db.$count(generations, held)) > 0
}

/** The fields that are read from a sent message with an artifact. */
export interface SentMessage
  extends Pick<Message, 'message_id' | 'video' | 'voice' | 'audio' | 'document' | 'photo'> {
  /** This message, or the picture of the file, has replaced the status message. */
  readonly replacesStatus?: boolean
  /** What was known of the file when it was sent: its type, by its bytes, and sizes that Telegram does not give for documents. */
  readonly known?: FileFacts
}

/** Telegram makes a JPEG of every photo. */
export const photoMime = 'image/jpeg'

/** An artifact that is in the chat. Its message is recorded, so that the artifact can be sent again by Telegram's file id, for free. */
export interface SentArtifact {
  readonly artifact: Artifact
  readonly message: SentMessage
}

export async function recordSent(deps: Deps, sent: SentArtifact): Promise<void> {
  await throughOutages(deps, () => deps.db.execute(recordOf(sent)))
}

/** The statement that records a sent artifact. */
export const recordOf = (sent: SentArtifact): SQL => sql`
  update ${artifacts} set message_id = ${sent.message.message_id}::integer, ${fileOf(sent)} where ${isRowOf(sent)}`

/**
 * Records the file id of an artifact that was sent again into some chat. Its message id is not written, since that would say that the
 * result arrived in the chat of its order. During a delivery nothing is written: the delivery would take a file id for a part that it sent.
 */
export async function recordResent(deps: Deps, sent: SentArtifact): Promise<void> {
  const isDelivering = sql`exists (
    select from ${generations} where id = generation_id and delivery = ${'pending' satisfies DeliveryState})`
  const statement = sql`update ${artifacts} set ${fileOf(sent)} where ${isRowOf(sent)} and not ${isDelivering}`
  await throughOutages(deps, () => deps.db.execute(statement))
}

function fileOf({ artifact: { kind }, message }: SentArtifact): SQL {
  const { document } = message
  // A document is the file as it was made.
  const original = document ? sql`, original_file_id = ${document.file_id}` : sql``
  return sql`
    file_id = ${fileIn(message)?.file_id ?? null}::text, kind = ${kind}::text, facts = ${jsonb(factsOf(message))}${original}`
}

/** Telegram's sizes count more than those that were known: it may have converted the file. */
function factsOf(message: SentMessage): FileFacts | null {
  const file = fileIn(message)
  return file && message.known ? { ...message.known, ...measuresOf(file) } : null
}

const isRowOf = ({ artifact: { generationId, position } }: SentArtifact): SQL =>
  sql`generation_id = ${generationId} and position = ${position}::integer`

/** Records that the picture of a 3D model was sent. A picture that arrives after the model changes nothing. */
export async function recordPicture(deps: Deps, artifact: Artifact, picture: SentMessage): Promise<void> {
  const isWaiting = and(isArtifact(artifact), isNull(artifacts.messageId))
  await throughOutages(deps, () => set(deps, { fileId: fileIn(picture)?.file_id ?? null }, isWaiting))
}

/** @param last the last picture of the album */
export async function recordAlbumCaption(deps: Deps, last: Artifact, caption: SentMessage): Promise<void> {
  await throughOutages(deps, () => set(deps, { messageId: caption.message_id }, isArtifact(last)))
}

/** Records the file id of an original that was sent into a chat. */
export async function recordOriginal(
  deps: Pick<Deps, 'db'>,
  artifact: Artifact,
  fileId: string,
): Promise<void> {
  await set(deps, { originalFileId: fileId }, isArtifact(artifact))
}

/** Records a new link of an artifact. */
export async function recordLink(deps: Pick<Deps, 'db'>, artifact: Artifact, url: string): Promise<void> {
  await set(deps, { url }, and(isArtifact(artifact), eq(artifacts.url, artifact.url)))
}

/** Counts a failed download of each artifact. */
export async function recordMisses({ db }: Pick<Deps, 'db'>, missed: readonly Artifact[]): Promise<void> {
  const misses = sql`${artifacts.misses} + 1`
  if (missed.length > 0)
    await db
      .update(artifacts)
      .set({ misses })
      .where(or(...missed.map(isArtifact)))
}

interface Lost {
  readonly position: number
  readonly reason: Missing
}

/** The statement that gives up these files. @param condition a query; nothing is written unless it finds a row */
export function recordLost(generationId: string, files: readonly Lost[], condition: SQL): SQL {
  const values = files.map(({ position, reason }) => sql`(${position}::integer, ${reason}::text)`)
  return sql`
    update ${artifacts} a set lost = l.reason from (values ${sql.join(values, sql`, `)}) as l (position, reason)
    where a.generation_id = ${generationId} and a.position = l.position and exists (${condition})`
}

async function set({ db }: Pick<Deps, 'db'>, what: Partial<Artifact>, where: SQL | undefined): Promise<void> {
  await db.update(artifacts).set(what).where(where)
}

/**
 * Records the pictures of an album in one statement, as they were sent together. Rows that another worker has completed meanwhile are
 * left unchanged.
 */
export async function recordAlbum(
  deps: Deps,
  album: readonly Artifact[],
  messages: readonly SentMessage[],
): Promise<void> {
  const sent = album.map(({ generationId, position }, at) => {
    const message = messages[at]
    const messageId = at < album.length - 1 ? message?.message_id : undefined
    const fileId = message && fileIn(message)?.file_id
    const facts = message ? factsOf({ ...message, known: { mime: photoMime } }) : null
    return sql`(${generationId}, ${position}::integer, ${fileId ?? null}, ${messageId ?? null}::integer, ${jsonb(facts)})`
  })
  const statement = sql`
    update ${artifacts} a set file_id = s.file_id, message_id = s.message_id, kind = 'image', facts = s.facts
    from (values ${sql.join(sent, sql`, `)}) as s (generation_id, position, file_id, message_id, facts)
    where a.generation_id = s.generation_id and a.position = s.position and a.message_id is null`
  await throughOutages(deps, () => deps.db.execute(statement))
}

const fileIn = ({ video, voice, audio, document, photo }: SentMessage): TelegramFile | undefined =>
  video ?? voice ?? audio ?? document ?? photo?.at(-1)

const isArtifact = ({ generationId, position }: Artifact) =>
  and(eq(artifacts.generationId, generationId), eq(artifacts.position, position))
