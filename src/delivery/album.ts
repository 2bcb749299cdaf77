// Several pictures in one message, as many as Telegram takes together. An album bears no buttons, so they follow it.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Say } from '../texts.ts'
import { download } from './download.ts'
import { fitPhoto } from './media/thumbnail.ts'
import { type MessengerDeps, partsOf } from './parts.ts'
import { sendInto } from './place.ts'
import { fileName, isAboutFile, keep, telegramUpload, tellOfUpload } from './send-artifact.ts'
import { imageExtension } from './ways.ts'

/**
 * Sends the pictures that are not in the chat yet as one album.
 * @returns false when they can not go together (one of them is no photo, or Telegram refuses); nothing has been sent then
 */
export async function sendAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
  say: Say,
): Promise<boolean> {
  if (artifacts.length < 2 || artifacts.length > 10) return false
  await tellOfUpload(deps, generation, 'image')
  const photos = await Promise.all(artifacts.map((artifact) => photoOf(generation, artifact)))
  if (!photos.every((photo) => photo !== undefined)) return false
  const { common, caption, keyboard } = partsOf(deps, generation, say, false)
  const { parse_mode, ...reply } = common
  try {
    const sent = await sendInto(generation, (into) =>
      deps.api.sendMediaGroup(
        generation.chatId,
        photos.map((photo) => InputMediaBuilder.photo(photo)),
        { ...reply, ...into },
      ),
    )
    for (const [i, message] of sent.entries()) {
      const artifact = artifacts[i]
      if (artifact) await keep(deps, artifact, message)
    }
  } catch (error) {
    if (isAboutFile(error)) return false
    throw error
  }
  await sendInto(generation, (into) =>
    deps.api.sendMessage(generation.chatId, caption, { parse_mode, ...into, reply_markup: keyboard }),
  )
  return true
}

async function photoOf(generation: Generation, artifact: Artifact): Promise<InputFile | undefined> {
  const downloaded = await download(artifact.url, telegramUpload)
  const photo = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
  return (
    photo && new InputFile(photo.bytes, `${fileName(generation, artifact)}.${imageExtension(photo.bytes)}`)
  )
}
