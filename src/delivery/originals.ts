// Pictures as they were made, as documents, when somebody asks for them: photos are shown smaller.

import { and, eq } from 'drizzle-orm'
import { InputFile } from 'grammy'
import { artifacts } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { sendInto } from '../telegram/send-into.ts'
import { artifactsOf } from '../tracker/settle.ts'
import { fileName, type MessengerDeps } from './result-message.ts'

export interface Originals {
  readonly sent: number
  /** Links of the gateway do not live long. */
  readonly gone: number
  /** The gateway could not be asked just now. */
  readonly away: number
}

export async function sendOriginals(deps: MessengerDeps, generation: Generation): Promise<Originals> {
  const originals = { sent: 0, gone: 0, away: 0 }
  for (const artifact of await artifactsOf(deps, generation.id)) {
    originals[await sendOriginal(deps, generation, artifact)] += 1
  }
  return originals
}

async function sendOriginal(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<keyof Originals> {
  const { chatId, topicId } = generation
  const file = artifact.originalFileId ?? (await fetchOriginal(deps, generation, artifact))
  if (file === 'gone' || file === 'away') return file
  const { document } = await sendInto({ chatId, topicId }, (into) =>
    deps.api.sendDocument(chatId, file, { ...into, disable_content_type_detection: true }),
  )
  await deps.db
    .update(artifacts)
    .set({ originalFileId: document.file_id })
    .where(and(eq(artifacts.generationId, artifact.generationId), eq(artifacts.position, artifact.position)))
  return 'sent'
}

async function fetchOriginal(
  { downloads }: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<InputFile | 'gone' | 'away'> {
  const downloaded = await downloads.get(artifact.url)
  if (!downloaded.ok) return downloaded.reason === 'unavailable' ? 'away' : 'gone'
  const { bytes, format } = downloaded
  return new InputFile(bytes, `${fileName(generation, artifact)}.${format.extension}`)
}
