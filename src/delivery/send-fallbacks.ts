// The forms in which one file can be sent, the best first. They depend on what the file is, not only on what was ordered. A file
// that Telegram refuses in one form it may accept in another; the last form is always the plain document.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { FileKind } from '../db/schema.ts'
import { fitPhoto, imageThumbnail, previewGlb, toMp4, videoThumbnail } from '../media/convert.ts'
import { mimeNamed, photographExtension } from '../media/format.ts'
import { isGlb, probeVideo } from '../media/probe.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { careOf } from './attempt.ts'
import { fileName } from './job.ts'
import { replaceStatusByPhoto } from './replace-status.ts'
import {
  asDocument,
  type DownloadedArtifact,
  formOf,
  type PreparedForms,
  type SendAttempt,
  thumbnailOption,
} from './send-form.ts'
import { photoMime, recordPicture } from './sent-artifacts.ts'
import { soundForms } from './sound-forms.ts'

export interface PreparedArtifact {
  /** The kind of the file; null when it was not examined. */
  readonly kind: FileKind | null
  readonly attempts: readonly SendAttempt[]
}

export async function sendAttemptsFor(file: DownloadedArtifact): Promise<PreparedArtifact> {
  const isExamined = careOf(file.job.generation) === 'usual'
  const shown = isExamined ? await shownForms(file) : undefined
  const { kind, forms } = shown ?? { kind: file.format.kind, forms: [asDocument(file)] }
  const replaceStatus = forms[0]?.replaceStatus
  return { kind, attempts: [...(replaceStatus ? [replaceStatus] : []), ...forms.map(({ send }) => send)] }
}

/** The forms in which Telegram shows the file; undefined when it can only be sent as a document. */
async function shownForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const { format, job } = file
  const ordered = job.ordered?.kind
  switch (format.kind) {
    case 'image':
      // Telegram compresses photos: a texture or a cover is sent unchanged.
      return ordered === 'image' ? imageForms(file) : undefined
    case 'model3d':
      return ordered === 'model3d' ? modelForms(file) : undefined
    case 'audio':
      return soundForms(file)
    case 'video':
      return (await videoForms(file)) ?? (await soundForms(file))
    case 'other':
      return ordered === 'voice' || ordered === 'audio' ? soundForms(file) : undefined
    case 'text':
      return undefined
  }
}

/** Telegram plays only MP4; a video that cannot be converted is sent as a document. */
async function videoForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const facts = await probeVideo(file.bytes)
  if (!facts) return undefined
  const { width, height, duration } = facts
  const measures = { width, height, seconds: duration }
  const original = asDocument(file, { measures })
  const mp4 = facts.container === 'mp4' ? file.bytes : await toMp4(file.bytes)
  if (!mp4) return { kind: 'video', forms: [original] }
  const { deps, job, artifact } = file
  const thumbnail = await videoThumbnail(mp4)
  const shown = { width, height, duration, supports_streaming: true, ...thumbnailOption(thumbnail) }
  const inputFile = new InputFile(mp4, `${fileName(job.generation, artifact)}.mp4`)
  const asVideo = formOf(
    file,
    { mime: mimeNamed('mp4'), ...measures },
    (chatId, options) => deps.api.sendVideo(chatId, inputFile, { ...options, ...shown }),
    (options) => InputMediaBuilder.video(inputFile, { ...options, ...shown }),
  )
  return { kind: 'video', forms: [asVideo, original] }
}

async function imageForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const { deps, job, artifact, bytes } = file
  const photo = await fitPhoto(bytes)
  if (!photo) return undefined
  const extension = photographExtension(photo.bytes) ?? 'jpg'
  const inputFile = new InputFile(photo.bytes, `${fileName(job.generation, artifact)}.${extension}`)
  const asPhoto = formOf(
    file,
    { mime: photoMime },
    (chatId, options) => deps.api.sendPhoto(chatId, inputFile, options),
    (options) => InputMediaBuilder.photo(inputFile, options),
  )
  return { kind: 'image', forms: [asPhoto, asDocument(file)] }
}

/** The longest that sending the picture may delay the model. */
const pictureMs = 3000

/** A picture is sent before the model. It is optional: neither drawing nor sending it may delay the model for long. */
async function modelForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const { deps, job, artifact, bytes } = file
  if (!isGlb(bytes)) return undefined
  const preview = await previewGlb(bytes, deps.previewMs).catch(() => undefined)
  const thumbnail = preview && (await imageThumbnail(preview))
  const document = asDocument(file, { shown: thumbnailOption(thumbnail) })
  if (!preview) return { kind: 'model3d', forms: [document] }
  let replacesStatus = false
  const sendPicture = async () => {
    const sent = await replaceStatusByPhoto(
      deps,
      job,
      new InputFile(preview, `${fileName(job.generation, artifact)}.jpg`),
    )
    replacesStatus = sent.replacesStatus === true
    await recordPicture(deps, artifact, sent)
  }
  const afterPicture = async () => {
    if (artifact.fileId === null) await allSettledWithin([sendPicture()], deps.clock, pictureMs)
    return { ...(await document.send()), replacesStatus }
  }
  return { kind: 'model3d', forms: [{ send: afterPicture }, { send: document.send }] }
}
