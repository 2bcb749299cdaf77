// The forms in which one file can be sent, the best first. They depend on what the file is, not only on what was ordered. A file that
// Telegram refuses in one form it may accept in another; the last form is always the plain document.

import { type Api, InputFile, InputMediaBuilder } from 'grammy'
import type { InputMedia, Message } from 'grammy/types'
import type { FileFacts } from '../../catalog/field.ts'
import { promptInRequest } from '../../catalog/request.ts'
import {
  type AudioFacts,
  fitPhoto,
  imageThumbnail,
  isGlb,
  previewGlb,
  probeAudio,
  probeVideo,
  toMp4,
  toVoice,
  videoThumbnail,
  wholeSeconds,
} from '../../media/convert.ts'
import { type FileKind, type Format, mimeNamed, photographExtension } from '../../runtime/file-format.ts'
import type { Artifact } from '../generation.ts'
import { type DeliveryJob, fileName, photoMime } from './job.ts'
import { modelName } from './messages.ts'

export type SentAs = 'photo' | 'video' | 'voice' | 'audio' | 'document'

interface Form {
  readonly as: SentAs
  readonly file: InputFile
  /** What Telegram is told of the file: its sizes, its title, a thumbnail. */
  readonly told?: object
  readonly known: FileFacts
}

export interface Forms {
  /** The kind of the file; null when it was not examined. */
  readonly kind: FileKind | null
  /** The picture of a 3D model, which is sent before it. */
  readonly picture?: InputFile
  readonly forms: readonly Form[]
}

type Send = (api: Api, chatId: number, file: InputFile | string, options: object) => Promise<Message>

export const sendAs: Readonly<Record<SentAs, Send>> = {
  photo: (api, chatId, file, options) => api.sendPhoto(chatId, file, options),
  video: (api, chatId, file, options) => api.sendVideo(chatId, file, options),
  voice: (api, chatId, file, options) => api.sendVoice(chatId, file, options),
  audio: (api, chatId, file, options) => api.sendAudio(chatId, file, options),
  document: (api, chatId, file, options) => api.sendDocument(chatId, file, options),
}

/** The forms that can take the place of a message by an edit. Telegram refuses voice messages there. */
export const mediaAs: Readonly<
  Record<Exclude<SentAs, 'voice'>, (file: InputFile | string, options: object) => InputMedia>
> = {
  photo: InputMediaBuilder.photo,
  video: InputMediaBuilder.video,
  audio: InputMediaBuilder.audio,
  document: InputMediaBuilder.document,
}

interface DownloadedFile {
  readonly job: DeliveryJob
  readonly artifact: Artifact
  readonly bytes: Buffer
  readonly format: Format
}

/** @param previewMs the longest that the picture of a 3D model may take */
export async function formsOf(file: DownloadedFile, previewMs: number | undefined): Promise<Forms> {
  return (await shownForms(file, previewMs)) ?? { kind: file.format.kind, forms: [asDocument(file)] }
}

/** The forms in which Telegram shows the file; undefined when it can only be sent as a document. */
async function shownForms(file: DownloadedFile, previewMs: number | undefined): Promise<Forms | undefined> {
  const { format, job } = file
  const ordered = job.ordered?.kind
  switch (format.kind) {
    case 'image':
      // Telegram compresses photos: a texture or a cover is sent unchanged.
      return ordered === 'image' ? imageForms(file) : undefined
    case 'model3d':
      return ordered === 'model3d' ? modelForms(file, previewMs) : undefined
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
async function videoForms(file: DownloadedFile): Promise<Forms | undefined> {
  const facts = await probeVideo(file.bytes)
  if (!facts) return undefined
  const { width, height, duration } = facts
  const measures = { width, height, seconds: duration }
  const original = asDocument(file, { measures })
  const mp4 = facts.container === 'mp4' ? file.bytes : await toMp4(file.bytes)
  if (!mp4) return { kind: 'video', forms: [original] }
  const thumbnail = thumbnailOption(await videoThumbnail(mp4))
  const asVideo: Form = {
    as: 'video',
    file: new InputFile(mp4, nameOf(file, 'mp4')),
    told: { width, height, duration, supports_streaming: true, ...thumbnail },
    known: { mime: mimeNamed('mp4'), ...measures },
  }
  return { kind: 'video', forms: [asVideo, original] }
}

async function imageForms(file: DownloadedFile): Promise<Forms | undefined> {
  const photo = await fitPhoto(file.bytes)
  if (!photo) return undefined
  const name = nameOf(file, photographExtension(photo.bytes) ?? 'jpg')
  const asPhoto: Form = { as: 'photo', file: new InputFile(photo.bytes, name), known: { mime: photoMime } }
  return { kind: 'image', forms: [asPhoto, asDocument(file)] }
}

async function modelForms(file: DownloadedFile, previewMs: number | undefined): Promise<Forms | undefined> {
  if (!isGlb(file.bytes)) return undefined
  const preview = await previewGlb(file.bytes, previewMs).catch(() => undefined)
  if (!preview) return { kind: 'model3d', forms: [asDocument(file)] }
  const told = thumbnailOption(await imageThumbnail(preview))
  const picture = new InputFile(preview, nameOf(file, 'jpg'))
  return { kind: 'model3d', picture, forms: [asDocument(file, { told })] }
}

const thumbnailOption = (bytes: Buffer | undefined) =>
  bytes ? { thumbnail: new InputFile(bytes, 'thumbnail.jpg') } : {}

/** Longer speech is sent as a track, which can be saved and has better controls. */
const maxVoiceSeconds = 5 * 60

/** A voice message if speech was ordered, else a track. A user who accepts no voice messages gets a track. */
async function soundForms(file: DownloadedFile): Promise<Forms | undefined> {
  const { ordered } = file.job
  const isSpeech = ordered?.kind === 'voice'
  const audio = await probeAudio(file.bytes)
  if (!audio) {
    // Raw PCM has no header to recognise it by.
    const isRaw = isSpeech && file.format.extension === 'bin'
    return isRaw ? { kind: 'audio', forms: [asDocument(file, { extension: 'pcm' })] } : undefined
  }
  const seconds = wholeSeconds(audio.seconds)
  const tracks = trackForms(file, audio.container, seconds)
  const isVoice = isSpeech && !ordered.asFile && (tracks.length === 0 || seconds <= maxVoiceSeconds)
  const voices = isVoice ? await voiceForms(file) : []
  return { kind: 'audio', forms: [...voices, ...tracks, asDocument(file, { measures: { seconds } })] }
}

async function voiceForms({ bytes }: DownloadedFile): Promise<Form[]> {
  const voice = await toVoice(bytes)
  // Too long for a voice message, or of a format that is not encoded here.
  if (!voice) return []
  const { name, seconds } = voice
  const known = { mime: mimeNamed(name.slice(-3)), seconds }
  return [{ as: 'voice', file: new InputFile(voice.bytes, name), told: { duration: seconds }, known }]
}

/** Telegram plays MP3 and M4A. */
function trackForms(file: DownloadedFile, container: AudioFacts['container'], seconds: number): Form[] {
  if (container !== 'mp3' && container !== 'm4a') return []
  const told = { duration: seconds, title: trackTitle(file), performer: modelName(file.job) }
  const inputFile = new InputFile(file.bytes, nameOf(file, container))
  return [{ as: 'audio', file: inputFile, told, known: { mime: mimeNamed(container), seconds } }]
}

/** The title of one of several variants of a track begins with its number, since players cut long titles. */
function trackTitle({ job, artifact }: DownloadedFile): string {
  const { request } = job.generation
  const prompt = promptInRequest(request, 60)?.replaceAll(/\s+/g, ' ')
  const title = typeof request.title === 'string' ? request.title : (prompt ?? fileName(job, artifact))
  const tracks = job.artifacts.filter(mayBeTrack)
  const number = tracks.findIndex(({ position }) => position === artifact.position) + 1
  if (number === 0 || tracks.length === 1) return title
  return job.say.plain('track-of', { title, number, count: tracks.length })
}

/** Judged by the address, since files are examined one after another. In doubt it is false: a wrong number is worse than none. */
const mayBeTrack = ({ url }: Artifact): boolean =>
  url.startsWith('data:audio/') || /\.(mp3|m4a|wav|ogg|flac)$/i.test(URL.parse(url)?.pathname ?? '')

interface DocumentOptions {
  readonly extension?: string
  readonly measures?: Omit<FileFacts, 'mime'>
  readonly told?: object
}

export function asDocument(
  file: DownloadedFile,
  { extension = file.format.extension, measures = {}, told = {} }: DocumentOptions = {},
): Form {
  // Telegram would make a sticker of some pictures, a WebP for instance, and an animation of others.
  const asFile = file.format.kind === 'image' ? { disable_content_type_detection: true } : {}
  return {
    as: 'document',
    file: new InputFile(file.bytes, documentName(file, extension)),
    told: { ...told, ...asFile },
    known: { mime: mimeNamed(extension), ...measures },
  }
}

/** Of several files the name in the address if it is plain, since the files of a 3D model refer to each other by name; pictures do not. */
function documentName(file: DownloadedFile, extension: string): string {
  const { ordered, artifacts } = file.job
  if (ordered?.kind === 'image' || artifacts.length === 1) return nameOf(file, extension)
  const { url } = file.artifact
  const name = url.startsWith('data:') ? '' : (new URL(url).pathname.split('/').at(-1) ?? '')
  const isPlain = /^\w[\w.-]{0,60}$/.test(name) && name.toLowerCase().endsWith(`.${extension}`)
  return isPlain ? name : nameOf(file, extension)
}

const nameOf = ({ job, artifact }: Pick<DownloadedFile, 'job' | 'artifact'>, extension: string): string =>
  `${fileName(job, artifact)}.${extension}`
