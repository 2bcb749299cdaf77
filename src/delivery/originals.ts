// Sends pictures as documents, as they were made, on request: photos are shown smaller.

import { InputFile } from 'grammy'
import type { Artifact, Generation } from '../generations/generation.ts'
import { sendInto } from '../telegram/send-into.ts'
import { type DeliveryDeps, fileName } from './job.ts'
import { artifactsOf, recordOriginal } from './sent-artifacts.ts'

interface Originals {
  readonly sent: number
  /** The gateway's links have expired. */
  readonly gone: number
  /** The gateway did not answer. */
  readonly away: number
}

export async function sendOriginals(deps: DeliveryDeps, generation: Generation): Promise<Originals> {
  const originals = { sent: 0, gone: 0, away: 0 }
  for (const artifact of await artifactsOf(deps, generation.id)) {
    originals[await sendOriginal(deps, generation, artifact)] += 1
  }
  return originals
}

async function sendOriginal(
  deps: DeliveryDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<keyof Originals> {
  const { chatId, topicId } = generation
  const file = artifact.originalFileId ?? (await downloadOriginal(deps, generation, artifact))
  if (file === 'gone' || file === 'away') return file
  const { document } = await sendInto({ chatId, topicId }, (into) =>
    deps.api.sendDocument(chatId, file, { ...into, disable_content_type_detection: true }),
  )
  await recordOriginal(deps, artifact, document.file_id)
  return 'sent'
}

async function downloadOriginal(
  { downloads }: DeliveryDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<InputFile | 'gone' | 'away'> {
  const downloaded = await downloads.get(artifact.url)
  if (!downloaded.ok) return downloaded.reason === 'unavailable' ? 'away' : 'gone'
  const { bytes, format } = downloaded
  return new InputFile(bytes, `${fileName(generation, artifact)}.${format.extension}`)
}
