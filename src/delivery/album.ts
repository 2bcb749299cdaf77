// Several pictures as one message, as many as Telegram accepts together; other files are sent separately. An album cannot have
// buttons, so a message with the caption and the buttons follows it. Until that is sent, the last picture counts as partly sent
// (sent-artifacts.ts).

import { InputFile, InputMediaBuilder } from 'grammy'
import type { Artifact } from '../generations/generation.ts'
import { fitPhoto } from '../media/convert.ts'
import { photographExtension } from '../media/format.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import { type DeliveryDeps, type DeliveryJob, fileName } from './job.ts'
import { resultMessage } from './result-message.ts'
import { recordAlbum, recordAlbumCaption } from './sent-artifacts.ts'

interface Picture {
  readonly artifact: Artifact
  readonly photo: InputFile
}

/**
 * Downloads all artifacts and selects the photos.
 * @returns undefined when there are too few or too many, or a server does not answer: the files are then sent one by one
 */
export async function prepareAlbum(
  deps: DeliveryDeps,
  job: DeliveryJob,
): Promise<readonly Picture[] | undefined> {
  const { artifacts, generation } = job
  if (artifacts.length < 2) return undefined
  const pictures: Picture[] = []
  // The files are downloaded one after another: ten files of the largest size at once would exhaust the memory.
  for (const artifact of artifacts) {
    const downloaded = await deps.downloads.get(artifact.url)
    if (!downloaded.ok && downloaded.reason === 'unavailable') return undefined
    const photo = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
    if (!photo) continue
    const name = `${fileName(generation, artifact)}.${photographExtension(photo.bytes)}`
    pictures.push({ artifact, photo: new InputFile(photo.bytes, name) })
  }
  return isAlbum(pictures) ? pictures : undefined
}

/** Telegram's limits. */
export const isAlbum = (pictures: readonly unknown[]): boolean =>
  pictures.length >= 2 && pictures.length <= 10

/** @returns false when Telegram refuses them as an album; nothing has been sent then */
export async function sendAlbum(
  deps: DeliveryDeps,
  { target }: DeliveryJob,
  pictures: readonly Picture[],
): Promise<boolean> {
  const media = pictures.map(({ photo }) => InputMediaBuilder.photo(photo))
  const artifacts = pictures.map(({ artifact }) => artifact)
  try {
    const sent = await sendInto(target, (into) => deps.api.sendMediaGroup(target.chatId, media, into))
    await recordAlbum(deps, artifacts, sent)
    return true
  } catch (error) {
    if (isAboutFile(error)) return false
    throw error
  }
}

/** @param last the last picture of the album */
export async function sendAlbumCaption(deps: DeliveryDeps, job: DeliveryJob, last: Artifact): Promise<void> {
  const { chatId, topicId } = job.target
  const { plain, caption } = resultMessage(job, true)
  const sent = await sendInto({ chatId, topicId }, (into) =>
    deps.api.sendMessage(chatId, caption, { ...plain, ...into }),
  )
  await recordAlbumCaption(deps, last, sent)
}
