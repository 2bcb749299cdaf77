// Sends the original pictures as documents on request, since Telegram reduces photos. For a file that is too large for Telegram, the link
// is sent.

import { InputFile } from 'grammy'
import type { Artifact, Generation } from '../generations/generation.ts'
import { type ChatLocation, sendInto } from '../telegram/send-into.ts'
import { type DeliveryDeps, fileName, subjectOf } from './job.ts'
import { artifactsOf, recordOriginal } from './sent-artifacts.ts'

interface Originals {
  readonly sent: number
  /** The number of files whose links at the gateway have expired. */
  readonly gone: number
  /** The number of files for which the gateway did not answer. */
  readonly away: number
}

export async function sendOriginals(
  deps: DeliveryDeps,
  generation: Generation,
  place: ChatLocation,
): Promise<Originals> {
  const originals = { sent: 0, gone: 0, away: 0 }
  for (const artifact of await artifactsOf(deps, generation.id)) {
    originals[await sendOriginal(deps, generation, artifact, place)] += 1
  }
  return originals
}

async function sendOriginal(
  deps: DeliveryDeps,
  generation: Generation,
  artifact: Artifact,
  { chatId, topicId }: ChatLocation,
): Promise<keyof Originals> {
  const file = artifact.originalFileId ?? (await downloadOriginal(deps, generation, artifact))
  if (file === 'gone' || file === 'away') return file
  if (file === 'too-large') return sendLink(deps, generation, artifact, { chatId, topicId })
  const { document } = await sendInto({ chatId, topicId }, (into) =>
    deps.api.sendDocument(chatId, file, { ...into, disable_content_type_detection: true }),
  )
  await recordOriginal(deps, artifact, document.file_id)
  return 'sent'
}

/** Sends the link of a file that is too large for Telegram. */
async function sendLink(
  deps: DeliveryDeps,
  generation: Generation,
  { url }: Artifact,
  place: ChatLocation,
): Promise<'sent'> {
  const { say } = await subjectOf(deps, generation)
  const html = say.html('result-too-large', { url })
  await sendInto(place, (into) => deps.api.sendMessage(place.chatId, html, { ...into, parse_mode: 'HTML' }))
  return 'sent'
}

async function downloadOriginal(
  { downloads }: DeliveryDeps,
  generation: Generation,
  artifact: Artifact,
): Promise<InputFile | 'gone' | 'away' | 'too-large'> {
  const downloaded = await downloads.get(artifact.url)
  if (!downloaded.ok && downloaded.reason === 'too-large') return 'too-large'
  if (!downloaded.ok) return downloaded.reason === 'unavailable' ? 'away' : 'gone'
  const { bytes, format } = downloaded
  return new InputFile(bytes, `${fileName(generation, artifact)}.${format.extension}`)
}
