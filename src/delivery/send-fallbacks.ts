// The forms in which one file can be sent, the best first. They depend on what the file is, not only on what was ordered. A file
// that Telegram refuses in one form it may accept in another; the last form is always the plain document.

import { InputFile } from 'grammy'
import type { Message } from 'grammy/types'
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
import { type DeliveryDeps, type DeliveryJob, fileName } from './job.ts'
import type { ResultMessage } from './result-message.ts'
import { recordPicture } from './sent-artifacts.ts'

/** Sends the file in one form. */
export type SendAttempt = () => Promise<Message>

interface DownloadedArtifact {
  readonly deps: DeliveryDeps
  readonly job: DeliveryJob
  readonly artifact: Artifact
  readonly bytes: Buffer
  readonly format: Format
  readonly message: ResultMessage
}

export interface PreparedArtifact {
  /** What the file is; null when it was not examined. */
  readonly kind: FileKind | null
  readonly attempts: readonly SendAttempt[]
}

function attemptOf(
  { job, message }: DownloadedArtifact,
  send: (chatId: number, options: ResultMessage['captioned'] & Into) => Promise<Message>,
): SendAttempt {
  const { target } = job
  return () => sendInto(target, (into) => send(target.chatId, { ...message.captioned, ...into }))
}

export async function sendAttemptsFor(file: DownloadedArtifact): Promise<PreparedArtifact> {
  const shown = await shownAttempts(file)
  return shown ?? { kind: file.format.kind, attempts: [asDocument(file)] }
}

/** Undefined when Telegram can only show it as a document. */
async function shownAttempts(file: DownloadedArtifact): Promise<PreparedArtifact | undefined> {
  const { format, job } = file
  const ordered = job.ordered?.kind
  switch (format.kind) {
    case 'image':
      // Telegram compresses photos: a texture or a cover is sent unchanged.
      return ordered === 'image' ? imageAttempts(file) : undefined
    case 'model3d':
      return ordered === 'model3d' ? modelAttempts(file) : undefined
    case 'audio':
      return soundAttempts(file)
    case 'video':
      return (await videoAttempts(file)) ?? (await soundAttempts(file))
    case 'other':
      return ordered === 'voice' || ordered === 'audio' ? soundAttempts(file) : undefined
    case 'text':
      return undefined
  }
}

/** Telegram plays only MP4; a video that cannot be converted is sent as a document. */
async function videoAttempts(file: DownloadedArtifact): Promise<PreparedArtifact | undefined> {
  const facts = await probeVideo(file.bytes)
  if (!facts) return undefined
  const original = asDocument(file)
  const mp4 = facts.container === 'mp4' ? file.bytes : await toMp4(file.bytes)
  if (!mp4) return { kind: 'video', attempts: [original] }
  const { deps, job, artifact } = file
  const { width, height, duration } = facts
  const thumbnail = await videoThumbnail(mp4)
  const shown = { width, height, duration, supports_streaming: true, ...thumbnailOption(thumbnail) }
  const inputFile = new InputFile(mp4, `${fileName(job.generation, artifact)}.mp4`)
  const asVideo = attemptOf(file, (chatId, options) =>
    deps.api.sendVideo(chatId, inputFile, { ...options, ...shown }),
  )
  return { kind: 'video', attempts: [asVideo, original] }
}

const thumbnailOption = (bytes: Buffer | undefined) =>
  bytes ? { thumbnail: new InputFile(bytes, 'thumbnail.jpg') } : {}

async function imageAttempts(file: DownloadedArtifact): Promise<PreparedArtifact | undefined> {
  const { deps, job, artifact, bytes } = file
  const photo = await fitPhoto(bytes)
  if (!photo) return undefined
  const extension = imageExtension(photo.bytes) ?? 'jpg'
  const inputFile = new InputFile(photo.bytes, `${fileName(job.generation, artifact)}.${extension}`)
  const asPhoto = attemptOf(file, (chatId, options) => deps.api.sendPhoto(chatId, inputFile, options))
  return { kind: 'image', attempts: [asPhoto, asDocument(file)] }
}

/** A voice message if speech was ordered, else a track. */
async function soundAttempts(file: DownloadedArtifact): Promise<PreparedArtifact | undefined> {
  const audio = await probeAudio(file.bytes)
  if (audio) {
    const attempts =
      file.job.ordered?.kind === 'voice' ? await voiceAttempts(file) : trackAttempts(file, audio)
    return { kind: 'audio', attempts: [...attempts, asDocument(file)] }
  }
  // Raw PCM has no header to recognise it by.
  const isRaw = file.job.ordered?.kind === 'voice' && file.format.extension === 'bin'
  return isRaw ? { kind: 'audio', attempts: [asDocument(file, 'pcm')] } : undefined
}

/** Longer speech is sent as a track, which can be saved and has better controls. */
const longestVoiceSeconds = 5 * 60

/** A user who accepts no voice messages gets a track. */
async function voiceAttempts(file: DownloadedArtifact): Promise<SendAttempt[]> {
  const { deps, bytes } = file
  const voice = await toVoice(bytes)
  if (!voice) return []
  const inputFile = new InputFile(voice.bytes, voice.name)
  const asVoice = attemptOf(file, (chatId, options) =>
    deps.api.sendVoice(chatId, inputFile, { ...options, duration: voice.seconds }),
  )
  const isLong = voice.seconds > longestVoiceSeconds
  const asTrack = voice.name.endsWith('.mp3') ? [track(file, voice.seconds)] : []
  return isLong && asTrack.length > 0 ? asTrack : [asVoice, ...asTrack]
}

/** Telegram plays MP3 and M4A. */
function trackAttempts(file: DownloadedArtifact, { container, seconds }: AudioFacts): SendAttempt[] {
  const isPlayed = container === 'mp3' || container === 'm4a'
  return isPlayed ? [track(file, seconds, container)] : []
}

function track(file: DownloadedArtifact, seconds: number, extension = 'mp3'): SendAttempt {
  const { deps, job, artifact, bytes, message } = file
  const { title } = job.generation.request
  const name = fileName(job.generation, artifact)
  const inputFile = new InputFile(bytes, `${name}.${extension}`)
  const shown = {
    duration: Math.max(1, Math.round(seconds)),
    title: typeof title === 'string' ? title : (promptOf(job.generation.request, 60) ?? name),
    performer: message.performer,
  }
  return attemptOf(file, (chatId, options) => deps.api.sendAudio(chatId, inputFile, { ...options, ...shown }))
}

/** The longest that sending the picture may delay the model. */
const pictureMs = 3000

/** A picture is sent before the model. It is optional: neither drawing nor sending it may delay the model for long. */
async function modelAttempts(file: DownloadedArtifact): Promise<PreparedArtifact | undefined> {
  const { deps, job, artifact, bytes } = file
  if (!isGlb(bytes)) return undefined
  const preview = await previewGlb(bytes, deps.previewMs).catch(() => undefined)
  const thumbnail = preview && (await imageThumbnail(preview))
  const { chatId, topicId } = job.target
  const sendPicture = async (picture: Buffer) => {
    const inputFile = new InputFile(picture, `${fileName(job.generation, artifact)}.jpg`)
    const sent = await sendInto({ chatId, topicId }, (into) => deps.api.sendPhoto(chatId, inputFile, into))
    await recordPicture(deps, artifact, sent)
  }
  const document = asDocument(file, undefined, thumbnailOption(thumbnail))
  const afterPicture = async () => {
    if (preview && artifact.fileId === null)
      await allSettledWithin([sendPicture(preview)], deps.clock, pictureMs)
    return document()
  }
  return { kind: 'model3d', attempts: [afterPicture, document] }
}

function asDocument(file: DownloadedArtifact, extension = file.format.extension, more = {}): SendAttempt {
  const { deps, bytes } = file
  const inputFile = new InputFile(bytes, documentName(file, extension))
  return attemptOf(file, (chatId, options) =>
    deps.api.sendDocument(chatId, inputFile, { ...options, ...more }),
  )
}

/** The name from its address if it is a plain one: the files of a 3D model refer to each other by name. */
function documentName({ job, artifact }: DownloadedArtifact, extension: string): string {
  const isInline = artifact.url.startsWith('data:')
  const name = isInline ? '' : (new URL(artifact.url).pathname.split('/').at(-1) ?? '')
  const isPlain = /^\w[\w.-]{0,60}$/.test(name) && name.toLowerCase().endsWith(`.${extension}`)
  return isPlain ? name : `${fileName(job.generation, artifact)}.${extension}`
}
