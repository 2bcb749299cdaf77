// Several pictures in one message, as many as Telegram takes together. An album bears no buttons, so words with them follow
// it. Until they are there the last picture counts as missing, see kept.ts.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Say } from '../texts.ts'
import { keepAlbum, keepWords } from './kept.ts'
import { imageExtension } from './media/image.ts'
import { fitPhoto } from './media/thumbnail.ts'
import { type MessengerDeps, partsOf } from './parts.ts'
import { sendInto } from './place.ts'
import { isAboutFile } from './refusal.ts'
import { fileName, tellOfUpload } from './send-artifact.ts'

/** Fetches the pictures. Undefined when they can not go together: too few, too many, or one of them is no photo. */
export async function prepareAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
): Promise<readonly InputFile[] | undefined> {
  if (artifacts.length < 2 || artifacts.length > 10) return undefined
  await tellOfUpload(deps, generation, 'image')
  const photos: InputFile[] = []
  // One after the other: ten at once, each as large as may be, would fill the memory.
  for (const artifact of artifacts) {
    const downloaded = await deps.downloads.get(artifact.url)
    const photo = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
    if (!photo) return undefined
    photos.push(
      new InputFile(photo.bytes, `${fileName(generation, artifact)}.${imageExtension(photo.bytes)}`),
    )
  }
  return photos
}

/** @returns false when Telegram does not take them together; nothing has been sent then */
export async function putAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
  photos: readonly InputFile[],
): Promise<boolean> {
  const media = photos.map((photo) => InputMediaBuilder.photo(photo))
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
  const { chatId, threadId } = generation
  const { common, caption } = partsOf(deps, generation, say, true)
  const words = await sendInto({ chatId, threadId }, (into) =>
    deps.api.sendMessage(chatId, caption, { ...common, ...into }),
  )
  await keepWords(deps, last, words)
}
