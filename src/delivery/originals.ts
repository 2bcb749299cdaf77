// Pictures as they were made, as documents, when somebody asks for them: photos are shown smaller.

import { and, eq } from 'drizzle-orm'
import { InputFile } from 'grammy'
import { artifacts } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { artifactsOf } from '../generations/settle.ts'
import { imageExtension } from './media/image.ts'
import type { MessengerDeps } from './parts.ts'
import { sendInto } from './place.ts'
import { fileName } from './send-artifact.ts'

/** @returns how many were sent and how many are gone: links of the gateway do not live long */
export async function sendOriginals(
  deps: MessengerDeps,
  generation: Generation,
): Promise<{ readonly sent: number; readonly gone: number }> {
  const all = await artifactsOf(deps, generation.id)
  let sent = 0
  for (const artifact of all) if (await sendOriginal(deps, generation, artifact)) sent += 1
  return { sent, gone: all.length - sent }
}

async function sendOriginal(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<boolean> {
  const { chatId, threadId } = generation
  const file = artifact.originalFileId ?? (await fetchOriginal(deps, generation, artifact))
  if (!file) return false
  const { document } = await sendInto({ chatId, threadId }, (into) =>
    deps.api.sendDocument(chatId, file, { ...into, disable_content_type_detection: true }),
  )
  await deps.db
    .update(artifacts)
    .set({ originalFileId: document.file_id })
    .where(and(eq(artifacts.generationId, artifact.generationId), eq(artifacts.position, artifact.position)))
  return true
}

async function fetchOriginal(
  { downloads }: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<InputFile | undefined> {
  const downloaded = await downloads.get(artifact.url)
  if (!downloaded.ok) return undefined
  return new InputFile(
    downloaded.bytes,
    `${fileName(generation, artifact)}.${imageExtension(downloaded.bytes) ?? 'bin'}`,
  )
}
