// The forms in which one file can be sent, the best first. They depend on what the file is, not only on what was ordered. A file
// that Telegram refuses in one form it may accept in another; the last form is always the plain document.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { InputMedia, Message } from 'grammy/types'
import { promptOf } from '../catalog/prompt.ts'
import type { FileKind } from '../db/schema.ts'
import type { Artifact } from '../generations/generation.ts'
import type { Format } from '../media/format.ts'
import { previewGlb } from '../media/glb-preview.ts'
import { imageExtension } from '../media/image.ts'
import { type AudioFacts, isGlb, probeAudio, probeVideo } from '../media/probe.ts'
import { toMp4 } from '../media/remux.ts'
import { fitPhoto, imageThumbnail, videoThumbnail } from '../media/thumbnail.ts'
import { toVoice } from '../media/voice.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { type Into, sendInto } from '../telegram/send-into.ts'
import { becomeMedia, becomePhoto } from './become.ts'
import { type DeliveryDeps, type DeliveryJob, fileName } from './job.ts'
import type { ResultMessage } from './result-message.ts'
import { recordPicture, type SentMessage } from './sent-artifacts.ts'

/** Sends the file in one form. */
export type SendAttempt = () => Promise<SentMessage>

/** A form in which the file can be sent, and its attempt to take the place of the status message, if that is possible. */
interface Form {
  readonly send: SendAttempt
  readonly become?: SendAttempt | undefined
}

interface DownloadedArtifact {
  readonly deps: DeliveryDeps
  readonly job: DeliveryJob
  readonly artifact: Artifact
  readonly bytes: Buffer
  readonly format: Format
  readonly message: ResultMessage
}

export interface PreparedArtifact {
  /** The kind of the file; null when it was not examined. */
  readonly kind: FileKind | null
  readonly attempts: readonly SendAttempt[]
}

interface PreparedForms {
  readonly kind: FileKind
  /** The forms, at least one. */
  readonly forms: readonly Form[]
}

/** @param media the same for an edit of the status message; none for voice messages, which Telegram refuses there */
function formOf(
  { deps, job, message }: DownloadedArtifact,
  send: (chatId: number, options: ResultMessage['captioned'] & Into) => Promise<Message>,
  media?: (options: ResultMessage['captioned']) => InputMedia,
): Form {
  const { target, becoming } = job
  const { reply_markup, ...captioned } = message.captioned
  return {
    send: () => sendInto(target, (into) => send(target.chatId, { ...message.captioned, ...into })),
    become:
      media && becoming !== undefined
        ? () => becomeMedia(deps, target.chatId, becoming, media(captioned), reply_markup)
        : undefined,
  }
}

export async function sendAttemptsFor(file: DownloadedArtifact): Promise<PreparedArtifact> {
  const shown = await shownForms(file)
  const { kind, forms } = shown ?? { kind: file.format.kind, forms: [asDocument(file)] }
  const become = forms[0]?.become
  return { kind, attempts: [...(become ? [become] : []), ...forms.map(({ send }) => send)] }
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
  const original = asDocument(file)
  const mp4 = facts.container === 'mp4' ? file.bytes : await toMp4(file.bytes)
  if (!mp4) return { kind: 'video', forms: [original] }
  const { deps, job, artifact } = file
  const { width, height, duration } = facts
  const thumbnail = await videoThumbnail(mp4)
  const shown = { width, height, duration, supports_streaming: true, ...thumbnailOption(thumbnail) }
  const inputFile = new InputFile(mp4, `${fileName(job.generation, artifact)}.mp4`)
  const asVideo = formOf(
    file,
    (chatId, options) => deps.api.sendVideo(chatId, inputFile, { ...options, ...shown }),
    (options) => InputMediaBuilder.video(inputFile, { ...options, ...shown }),
  )
  return { kind: 'video', forms: [asVideo, original] }
}

const thumbnailOption = (bytes: Buffer | undefined) =>
  bytes ? { thumbnail: new InputFile(bytes, 'thumbnail.jpg') } : {}

async function imageForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const { deps, job, artifact, bytes } = file
  const photo = await fitPhoto(bytes)
  if (!photo) return undefined
  const extension = imageExtension(photo.bytes) ?? 'jpg'
  const inputFile = new InputFile(photo.bytes, `${fileName(job.generation, artifact)}.${extension}`)
  const asPhoto = formOf(
    file,
    (chatId, options) => deps.api.sendPhoto(chatId, inputFile, options),
    (options) => InputMediaBuilder.photo(inputFile, options),
  )
  return { kind: 'image', forms: [asPhoto, asDocument(file)] }
}

/** A voice message if speech was ordered, else a track. */
async function soundForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const audio = await probeAudio(file.bytes)
  if (audio) {
    const forms = file.job.ordered?.kind === 'voice' ? await voiceForms(file) : trackForms(file, audio)
    return { kind: 'audio', forms: [...forms, asDocument(file)] }
  }
  // Raw PCM has no header to recognise it by.
  const isRaw = file.job.ordered?.kind === 'voice' && file.format.extension === 'bin'
  return isRaw ? { kind: 'audio', forms: [asDocument(file, 'pcm')] } : undefined
}

/** Longer speech is sent as a track, which can be saved and has better controls. */
const longestVoiceSeconds = 5 * 60

/** A user who accepts no voice messages gets a track. */
async function voiceForms(file: DownloadedArtifact): Promise<Form[]> {
  const { deps, bytes } = file
  const voice = await toVoice(bytes)
  if (!voice) return []
  const inputFile = new InputFile(voice.bytes, voice.name)
  const asVoice = formOf(file, (chatId, options) =>
    deps.api.sendVoice(chatId, inputFile, { ...options, duration: voice.seconds }),
  )
  const isLong = voice.seconds > longestVoiceSeconds
  const asTrack = voice.name.endsWith('.mp3') ? [track(file, voice.seconds)] : []
  return isLong && asTrack.length > 0 ? asTrack : [asVoice, ...asTrack]
}

/** Telegram plays MP3 and M4A. */
function trackForms(file: DownloadedArtifact, { container, seconds }: AudioFacts): Form[] {
  const isPlayed = container === 'mp3' || container === 'm4a'
  return isPlayed ? [track(file, seconds, container)] : []
}

function track(file: DownloadedArtifact, seconds: number, extension = 'mp3'): Form {
  const { deps, job, artifact, bytes, message } = file
  const { title } = job.generation.request
  const name = fileName(job.generation, artifact)
  const inputFile = new InputFile(bytes, `${name}.${extension}`)
  const called =
    typeof title === 'string'
      ? title
      : (promptOf(job.generation.request, 60)?.replaceAll(/\s+/g, ' ') ?? name)
  const shown = {
    duration: Math.max(1, Math.round(seconds)),
    title: numbered(called, job, artifact),
    performer: message.performer,
  }
  return formOf(
    file,
    (chatId, options) => deps.api.sendAudio(chatId, inputFile, { ...options, ...shown }),
    (options) => InputMediaBuilder.audio(inputFile, { ...options, ...shown }),
  )
}

/** The title of one of several variants of a track begins with its number, since players cut long titles. */
function numbered(title: string, { artifacts, say }: DeliveryJob, { position }: Artifact): string {
  const tracks = artifacts.filter(mayBeTrack)
  const number = tracks.findIndex((one) => one.position === position) + 1
  if (number === 0 || tracks.length === 1) return title
  return say.plain('track-of', { title, number, count: tracks.length })
}

/** Judged by the address, since files are examined one after another. In doubt it is false: a wrong number is worse than none. */
const mayBeTrack = ({ url }: Artifact): boolean =>
  url.startsWith('data:audio/') || /\.(mp3|m4a|wav|ogg|flac)$/i.test(URL.parse(url)?.pathname ?? '')

/** The longest that sending the picture may delay the model. */
const pictureMs = 3000

/** A picture is sent before the model. It is optional: neither drawing nor sending it may delay the model for long. */
async function modelForms(file: DownloadedArtifact): Promise<PreparedForms | undefined> {
  const { deps, job, artifact, bytes } = file
  if (!isGlb(bytes)) return undefined
  const preview = await previewGlb(bytes, deps.previewMs).catch(() => undefined)
  const thumbnail = preview && (await imageThumbnail(preview))
  const document = asDocument(file, undefined, thumbnailOption(thumbnail))
  if (!preview) return { kind: 'model3d', forms: [document] }
  let replacesStatus = false
  const sendPicture = async () => {
    const sent = await becomePhoto(
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

/** Telegram would make a sticker of some pictures, a WebP for instance, and an animation of others. */
function asDocument(file: DownloadedArtifact, extension = file.format.extension, more = {}): Form {
  const { deps, bytes, format } = file
  const inputFile = new InputFile(bytes, documentName(file, extension))
  const shown = format.kind === 'image' ? { ...more, disable_content_type_detection: true } : more
  return formOf(
    file,
    (chatId, options) => deps.api.sendDocument(chatId, inputFile, { ...options, ...shown }),
    (options) => InputMediaBuilder.document(inputFile, { ...options, ...shown }),
  )
}

/** The name in the file's address if it is plain, since the files of a 3D model refer to each other by name. */
function documentName({ job, artifact }: DownloadedArtifact, extension: string): string {
  const isInline = artifact.url.startsWith('data:')
  const name = isInline ? '' : (new URL(artifact.url).pathname.split('/').at(-1) ?? '')
  const isPlain = /^\w[\w.-]{0,60}$/.test(name) && name.toLowerCase().endsWith(`.${extension}`)
  return isPlain ? name : `${fileName(job.generation, artifact)}.${extension}`
}
