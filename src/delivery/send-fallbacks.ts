// The ways in which one file can be sent, the best first. They follow from what the file is, not only from what was ordered.
// What Telegram refuses as one thing it may take as another; every list ends with the plain document.

import { InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import type { Delivers } from '../catalog/model.ts'
import { promptOf } from '../catalog/prompt.ts'
import type { FileKind } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Format } from '../media/format.ts'
import { previewGlb } from '../media/glb-preview.ts'
import { imageExtension } from '../media/image.ts'
import { type AudioFacts, isGlb, probeAudio, probeVideo } from '../media/probe.ts'
import { toMp4 } from '../media/remux.ts'
import { fitPhoto, imageThumbnail, videoThumbnail } from '../media/thumbnail.ts'
import { toVoice } from '../media/voice.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { sendInto } from '../telegram/send-into.ts'
import { fileName, type MessengerDeps, type Parts } from './result-message.ts'
import { keepPicture } from './sent-artifacts.ts'

export type Way = () => Promise<Message>

/** One downloaded file on its way into a chat. */
export interface Parcel {
  readonly deps: MessengerDeps
  readonly generation: Generation
  readonly artifact: Artifact
  readonly bytes: Buffer
  readonly format: Format
  /** What was ordered; undefined when the model is no longer in the catalog. */
  readonly ordered: Delivers['kind'] | undefined
  readonly parts: Parts
}

export interface Prepared {
  /** What the file turned out to be; null when it was not looked at. */
  readonly kind: FileKind | null
  readonly ways: readonly Way[]
}

export async function waysFor(parcel: Parcel): Promise<Prepared> {
  const shown = await shownWays(parcel)
  return shown ?? { kind: parcel.format.kind, ways: [asDocument(parcel)] }
}

/** Undefined when Telegram can show it in no other way than as a document. */
async function shownWays(parcel: Parcel): Promise<Prepared | undefined> {
  const { format, ordered } = parcel
  switch (format.kind) {
    case 'image':
      // Telegram compresses photos: a texture or a cover is wanted as it is.
      return ordered === 'image' ? imageWays(parcel) : undefined
    case 'model3d':
      return ordered === 'model3d' ? modelWays(parcel) : undefined
    case 'audio':
      return soundWays(parcel)
    case 'video':
      return (await videoWays(parcel)) ?? (await soundWays(parcel))
    case 'other':
      return ordered === 'voice' || ordered === 'audio' ? soundWays(parcel) : undefined
    case 'text':
      return undefined
  }
}

/** Telegram plays MP4 only; what cannot be made one goes as a document. */
async function videoWays(parcel: Parcel): Promise<Prepared | undefined> {
  const facts = await probeVideo(parcel.bytes)
  if (!facts) return undefined
  const original = asDocument(parcel)
  const mp4 = facts.container === 'mp4' ? parcel.bytes : await toMp4(parcel.bytes)
  if (!mp4) return { kind: 'video', ways: [original] }
  const { deps, generation, artifact, parts } = parcel
  const { width, height, duration } = facts
  const thumbnail = await videoThumbnail(mp4)
  const shown = { width, height, duration, supports_streaming: true, ...jpeg('thumbnail', thumbnail) }
  const file = new InputFile(mp4, `${fileName(generation, artifact)}.mp4`)
  const asVideo = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendVideo(generation.chatId, file, { ...parts.all, ...into, ...shown }),
    )
  return { kind: 'video', ways: [asVideo, original] }
}

const jpeg = (key: 'thumbnail', bytes: Buffer | undefined) =>
  bytes ? { [key]: new InputFile(bytes, 'thumbnail.jpg') } : {}

async function imageWays(parcel: Parcel): Promise<Prepared | undefined> {
  const { deps, generation, artifact, parts, bytes } = parcel
  const photo = await fitPhoto(bytes)
  if (!photo) return undefined
  const extension = imageExtension(photo.bytes) ?? 'jpg'
  const file = new InputFile(photo.bytes, `${fileName(generation, artifact)}.${extension}`)
  const asPhoto = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendPhoto(generation.chatId, file, { ...parts.all, ...into }),
    )
  return { kind: 'image', ways: [asPhoto, asDocument(parcel)] }
}

/** Where speech was ordered it is a voice message, else a track. */
async function soundWays(parcel: Parcel): Promise<Prepared | undefined> {
  const audio = await probeAudio(parcel.bytes)
  if (audio) {
    const ways = parcel.ordered === 'voice' ? await voiceWays(parcel) : trackWays(parcel, audio)
    return { kind: 'audio', ways: [...ways, asDocument(parcel)] }
  }
  // Raw PCM has no head to know it by.
  const isRaw = parcel.ordered === 'voice' && parcel.format.extension === 'bin'
  return isRaw ? { kind: 'audio', ways: [asDocument(parcel, 'pcm')] } : undefined
}

/** A voice message is for listening to at once; what is longer is kept and wound, as a track. */
const longestVoiceSeconds = 5 * 60

/** Who does not take voice messages gets the same as a track. */
async function voiceWays(parcel: Parcel): Promise<Way[]> {
  const { deps, generation, parts, bytes } = parcel
  const voice = await toVoice(bytes)
  if (!voice) return []
  const file = new InputFile(voice.bytes, voice.name)
  const asVoice = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendVoice(generation.chatId, file, { ...parts.all, ...into, duration: voice.seconds }),
    )
  const isLong = voice.seconds > longestVoiceSeconds
  const asTrack = voice.name.endsWith('.mp3') ? [track(parcel, voice.seconds)] : []
  return isLong && asTrack.length > 0 ? asTrack : [asVoice, ...asTrack]
}

/** Telegram's player takes MP3 and M4A. */
function trackWays(parcel: Parcel, { container, seconds }: AudioFacts): Way[] {
  const isPlayed = container === 'mp3' || container === 'm4a'
  return isPlayed ? [track(parcel, seconds, container)] : []
}

function track(parcel: Parcel, seconds: number, extension = 'mp3'): Way {
  const { deps, generation, artifact, bytes, parts } = parcel
  const { title } = generation.request
  const name = fileName(generation, artifact)
  const file = new InputFile(bytes, `${name}.${extension}`)
  const shown = {
    duration: Math.max(1, Math.round(seconds)),
    title: typeof title === 'string' ? title : (promptOf(generation.request, 60) ?? name),
    performer: parts.model,
  }
  return () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendAudio(generation.chatId, file, { ...parts.all, ...into, ...shown }),
    )
}

/** How long the picture may take to be sent before the model is sent anyway. */
const pictureMs = 10_000

/** The picture before the model is optional: neither drawing nor sending it may delay the model for long. */
async function modelWays(parcel: Parcel): Promise<Prepared | undefined> {
  const { deps, generation, artifact, bytes } = parcel
  if (!isGlb(bytes)) return undefined
  const preview = await previewGlb(bytes, deps.previewMs).catch(() => undefined)
  const thumbnail = preview && (await imageThumbnail(preview))
  const { chatId, topicId } = generation
  const sendPicture = async (picture: Buffer) => {
    const file = new InputFile(picture, `${fileName(generation, artifact)}.jpg`)
    const sent = await sendInto({ chatId, topicId }, (into) => deps.api.sendPhoto(chatId, file, into))
    await keepPicture(deps, artifact, sent)
  }
  const document = asDocument(parcel, undefined, jpeg('thumbnail', thumbnail))
  const afterPicture = async () => {
    if (preview && artifact.fileId === null)
      await allSettledWithin([sendPicture(preview)], deps.clock, pictureMs)
    return document()
  }
  return { kind: 'model3d', ways: [afterPicture, document] }
}

function asDocument(parcel: Parcel, extension = parcel.format.extension, more = {}): Way {
  const { deps, generation, bytes, parts } = parcel
  const file = new InputFile(bytes, documentName(parcel, extension))
  return () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendDocument(generation.chatId, file, { ...parts.all, ...into, ...more }),
    )
}

/** The name in its address, where that is a plain one: the files of a 3D model refer to each other by name. */
function documentName({ generation, artifact }: Parcel, extension: string): string {
  const isInline = artifact.url.startsWith('data:')
  const name = isInline ? '' : (new URL(artifact.url).pathname.split('/').at(-1) ?? '')
  const isPlain = /^\w[\w.-]{0,60}$/.test(name) && name.toLowerCase().endsWith(`.${extension}`)
  return isPlain ? name : `${fileName(generation, artifact)}.${extension}`
}
