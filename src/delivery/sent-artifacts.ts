// What of the artifacts is in the chat, written right after each send, so that the next attempt sends only what is missing.
// One with a message id is there. One with a file id alone is there by half: of a 3D model its picture is, of the last picture
// of an album the words below it are not.

import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Message } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { throughOutages } from '../db/outage.ts'
import { artifacts, generations } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

export const isWaiting = ({ messageId }: Artifact): boolean => messageId === null
export const isHalfThere = ({ messageId, fileId }: Artifact): boolean => messageId === null && fileId !== null

/** Between two sends minutes may pass: whoever lost the lease meanwhile sends nothing more. */
export async function isStillOurs({ db }: Pick<Deps, 'db'>, { id, lease }: Generation): Promise<boolean> {
  const held = and(eq(generations.id, id), sql`${generations.lease} is not distinct from ${lease}`)
  return (await db.$count(generations, held)) > 0
}

/** Telegram has it now: it is sent again by its file id, for free. */
export async function keep(deps: Deps, artifact: Artifact, message: Message): Promise<void> {
  const { document } = message
  // A document is the file as it was made.
  const original = document ? { originalFileId: document.file_id } : {}
  const kept = { messageId: message.message_id, fileId: fileIdOf(message) ?? null, kind: artifact.kind }
  await throughOutages(deps, () => set(deps, { ...kept, ...original }, isArtifact(artifact)))
}

/** Its picture is in the chat. One that comes late changes nothing any more. */
export async function keepPicture(deps: Deps, artifact: Artifact, picture: Message): Promise<void> {
  const isHere = and(isArtifact(artifact), isNull(artifacts.messageId))
  await throughOutages(deps, () => set(deps, { fileId: fileIdOf(picture) ?? null }, isHere))
}

/** The words that end its album are in the chat. */
export async function keepWords(deps: Deps, last: Artifact, words: Message): Promise<void> {
  await throughOutages(deps, () => set(deps, { messageId: words.message_id }, isArtifact(last)))
}

async function set({ db }: Deps, what: Partial<Artifact>, where: SQL | undefined): Promise<void> {
  await db.update(artifacts).set(what).where(where)
}

/** All at once, as they came into the chat. What another has brought to its end meanwhile stays as it is. */
export async function keepAlbum(
  deps: Deps,
  album: readonly Artifact[],
  messages: readonly Message[],
): Promise<void> {
  const kept = album.map(({ generationId, position }, at) => {
    const message = messages[at]
    const messageId = at < album.length - 1 ? message?.message_id : undefined
    const fileId = message && fileIdOf(message)
    return sql`(${generationId}, ${position}::integer, ${fileId ?? null}, ${messageId ?? null}::integer)`
  })
  const statement = sql`
    update ${artifacts} a set file_id = k.file_id, message_id = k.message_id, kind = 'image'
    from (values ${sql.join(kept, sql`, `)}) as k (generation_id, position, file_id, message_id)
    where a.generation_id = k.generation_id and a.position = k.position and a.message_id is null`
  await throughOutages(deps, () => deps.db.execute(statement))
}

const fileIdOf = ({ video, voice, audio, document, photo }: Message): string | undefined =>
  (video ?? voice ?? audio ?? document ?? photo?.at(-1))?.file_id

const isArtifact = ({ generationId, position }: Artifact) =>
  and(eq(artifacts.generationId, generationId), eq(artifacts.position, position))
