// Several pictures in one message, as many as Telegram takes together; other files are sent apart. An album cannot have
// buttons, so a message with them follows it. Until that is sent the last picture counts as missing, see kept.ts.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { Artifact, Generation } from '../generations/generation.ts'
import { imageExtension } from '../media/image.ts'
import { fitPhoto } from '../media/thumbnail.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import type { Say } from '../texts.ts'
import { fileName, type MessengerDeps, partsOf } from './result-message.ts'
import { tellOfUpload } from './send-artifact.ts'
import { keepAlbum, keepWords } from './sent-artifacts.ts'

export interface Picture {
  readonly artifact: Artifact
  readonly photo: InputFile
}

/**
 * Downloads all and picks the photos. Undefined when there are too few or too many of them, and when a server does not answer:
 * then each file is sent as it comes.
 */
export async function prepareAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
): Promise<readonly Picture[] | undefined> {
  if (artifacts.length < 2) return undefined
  await tellOfUpload(deps, generation, 'image')
  const pictures: Picture[] = []
  // One after the other: ten at once, each as large as may be, would fill the memory.
  for (const artifact of artifacts) {
    const downloaded = await deps.downloads.get(artifact.url)
    if (!downloaded.ok && downloaded.reason === 'unavailable') return undefined
    const fitted = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
    if (!fitted) continue
    const name = `${fileName(generation, artifact)}.${imageExtension(fitted.bytes)}`
    pictures.push({ artifact, photo: new InputFile(fitted.bytes, name) })
  }
  return isAlbum(pictures) ? pictures : undefined
}

/** As Telegram has it. */
export const isAlbum = (pictures: readonly unknown[]): boolean =>
  pictures.length >= 2 && pictures.length <= 10

/** @returns false when Telegram does not take them together; nothing has been sent then */
export async function putAlbum(
  deps: MessengerDeps,
  generation: Generation,
  pictures: readonly Picture[],
): Promise<boolean> {
  const media = pictures.map(({ photo }) => InputMediaBuilder.photo(photo))
  const artifacts = pictures.map(({ artifact }) => artifact)
  try {
    const sent = await sendInto(generation, (into) => deps.api.sendMediaGroup(generation.chatId, media, into))
    await keepAlbum(deps, artifacts, sent)
    return true
  } catch (error) {
    if (isAboutFile(error)) return false
    throw error
  }
}

/** @param last the last picture of the album */
export async function putWords(
  deps: MessengerDeps,
  generation: Generation,
  last: Artifact,
  say: Say,
): Promise<void> {
  const { chatId, topicId } = generation
  const { common, caption } = partsOf(deps, generation, say, true)
  const words = await sendInto({ chatId, topicId }, (into) =>
    deps.api.sendMessage(chatId, caption, { ...common, ...into }),
  )
  await keepWords(deps, last, words)
}
