// What of the artifacts is in the chat, written right after each send, so that the next attempt sends only what is missing.
// One with a message id is there. One with a file id alone is there by half: of a 3D model its picture is, of the last picture
// of an album the words below it are not.

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Message } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { artifacts, generations } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'

interface Deps {
  readonly db: Database
}

export const isWaiting = ({ messageId }: Artifact): boolean => messageId === null
export const isHalfThere = ({ messageId, fileId }: Artifact): boolean => messageId === null && fileId !== null

/** Between two sends minutes may pass: whoever lost the lease meanwhile sends nothing more. */
export async function isStillOurs({ db }: Deps, { id, lease }: Generation): Promise<boolean> {
  const held = and(eq(generations.id, id), sql`${generations.lease} is not distinct from ${lease}`)
  return (await db.$count(generations, held)) > 0
}

/** Telegram has it now: it is sent again by its file id, for free. */
export async function keep(deps: Deps, artifact: Artifact, message: Message): Promise<void> {
  const { document } = message
  // A document is the file as it was made.
  const original = document ? { originalFileId: document.file_id } : {}
  const kept = { messageId: message.message_id, fileId: fileIdOf(message) ?? null, kind: artifact.kind }
  await deps.db
    .update(artifacts)
    .set({ ...kept, ...original })
    .where(isArtifact(artifact))
}

/** Its picture is in the chat. One that comes late changes nothing any more. */
export async function keepPicture({ db }: Deps, artifact: Artifact, picture: Message): Promise<void> {
  await db
    .update(artifacts)
    .set({ fileId: fileIdOf(picture) ?? null })
    .where(and(isArtifact(artifact), isNull(artifacts.messageId)))
}

/** The words that end its album are in the chat. */
export async function keepWords({ db }: Deps, last: Artifact, words: Message): Promise<void> {
  await db.update(artifacts).set({ messageId: words.message_id }).where(isArtifact(last))
}

/** All at once, as they came into the chat. What another has brought to its end meanwhile stays as it is. */
export async function keepAlbum(
  { db }: Deps,
  album: readonly Artifact[],
  messages: readonly Message[],
): Promise<void> {
  const kept = album.map(({ generationId, position }, at) => {
    const message = messages[at]
    const messageId = at < album.length - 1 ? message?.message_id : undefined
    const fileId = message && fileIdOf(message)
    return sql`(${generationId}, ${position}::integer, ${fileId ?? null}, ${messageId ?? null}::integer)`
  })
  await db.execute(sql`
    update ${artifacts} a set file_id = k.file_id, message_id = k.message_id, kind = 'image'
    from (values ${sql.join(kept, sql`, `)}) as k (generation_id, position, file_id, message_id)
    where a.generation_id = k.generation_id and a.position = k.position and a.message_id is null`)
}

const fileIdOf = ({ video, voice, audio, document, photo }: Message): string | undefined =>
  (video ?? voice ?? audio ?? document ?? photo?.at(-1))?.file_id

const isArtifact = ({ generationId, position }: Artifact) =>
  and(eq(artifacts.generationId, generationId), eq(artifacts.position, position))
