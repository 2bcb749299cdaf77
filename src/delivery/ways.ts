// One artifact -> the ways it can be put into a chat, the best first. What Telegram refuses as one thing it may take as
// another; every list ends with the plain document.

import { InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import type { Delivers } from '../catalog/model.ts'
import { promptOf } from '../catalog/prompt.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { keepPicture } from './kept.ts'
import { previewGlb } from './media/glb-preview.ts'
import { imageExtension } from './media/image.ts'
import { isGlb, probeAudio, probeVideo } from './media/probe.ts'
import { toMp4 } from './media/remux.ts'
import { fitPhoto, imageThumbnail, videoThumbnail } from './media/thumbnail.ts'
import { toVoice } from './media/voice.ts'
import type { MessengerDeps, Parts } from './parts.ts'
import { sendInto } from './place.ts'

export type Way = () => Promise<Message>

/** One downloaded artifact on its way into a chat. */
export interface Parcel {
  readonly deps: MessengerDeps
  readonly generation: Generation
  readonly artifact: Artifact
  readonly bytes: Buffer
  /** Without an extension. */
  readonly name: string
  readonly parts: Parts
}

/** Undefined when the bytes are not what they should be. What that is nobody knows when the model is gone. */
export async function waysFor(
  kind: Delivers['kind'] | undefined,
  parcel: Parcel,
): Promise<Way[] | undefined> {
  switch (kind) {
    case undefined:
      return [asDocument(parcel)]
    case 'video':
      return videoWays(parcel)
    case 'image':
      return imageWays(parcel)
    case 'voice':
      return voiceWays(parcel)
    case 'audio':
      return audioWays(parcel)
    case 'model3d':
      return modelWays(parcel)
  }
}

/** Telegram plays MP4 only; what can not be made one goes as a document. */
async function videoWays(parcel: Parcel): Promise<Way[] | undefined> {
  const facts = await probeVideo(parcel.bytes)
  if (!facts) return undefined
  const original = asDocument(parcel, facts.container)
  const mp4 = facts.container === 'mp4' ? parcel.bytes : await toMp4(parcel.bytes)
  if (!mp4) return [original]
  const { deps, generation, name, parts } = parcel
  const { width, height, duration } = facts
  const thumbnail = await videoThumbnail(mp4)
  const shown = { width, height, duration, supports_streaming: true, ...jpeg('thumbnail', thumbnail) }
  const file = new InputFile(mp4, `${name}.mp4`)
  const asVideo = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendVideo(generation.chatId, file, { ...parts.all, ...into, ...shown }),
    )
  return [asVideo, original]
}

const jpeg = (key: 'thumbnail', bytes: Buffer | undefined) =>
  bytes ? { [key]: new InputFile(bytes, 'thumbnail.jpg') } : {}

async function imageWays(parcel: Parcel): Promise<Way[] | undefined> {
  const { deps, generation, name, parts, bytes } = parcel
  const photo = await fitPhoto(bytes)
  const original = asDocument(parcel, imageExtension(bytes))
  if (!photo) return imageExtension(bytes) ? [original] : undefined
  const file = new InputFile(photo.bytes, `${name}.${imageExtension(photo.bytes) ?? 'jpg'}`)
  const asPhoto = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendPhoto(generation.chatId, file, { ...parts.all, ...into }),
    )
  return [asPhoto, original]
}

/** A voice message is for listening to at once; what is longer is kept and wound, as a track. */
const longestVoiceSeconds = 5 * 60

/** Who does not take voice messages gets the same as a track. */
async function voiceWays(parcel: Parcel): Promise<Way[] | undefined> {
  const { deps, generation, parts, bytes } = parcel
  const audio = await probeAudio(bytes)
  // Raw PCM has no head to know it by.
  if (!audio) return isText(bytes) ? undefined : [asDocument(parcel, 'pcm')]
  const voice = await toVoice(bytes)
  const original = asDocument(parcel, extensionOf(audio.container))
  if (!voice) return [original]
  const file = new InputFile(voice.bytes, voice.name)
  const asVoice = () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendVoice(generation.chatId, file, { ...parts.all, ...into, duration: voice.seconds }),
    )
  const isLong = voice.seconds > longestVoiceSeconds
  const asTrack = voice.name.endsWith('.mp3') ? [track(parcel, voice.seconds)] : []
  return isLong && asTrack.length > 0 ? [...asTrack, original] : [asVoice, ...asTrack, original]
}

/** An apology where sound should be; so is nothing at all. */
const isText = (bytes: Buffer): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what text does not have
  !/[\0-\x08\x0e-\x1f]/.test(bytes.toString('latin1', 0, 1000))

const extensionOf = (container: string): string => (container === 'other' ? 'audio' : container)

/** Telegram's player takes MP3 and M4A. */
async function audioWays(parcel: Parcel): Promise<Way[] | undefined> {
  const audio = await probeAudio(parcel.bytes)
  if (!audio) return undefined
  const original = asDocument(parcel, extensionOf(audio.container))
  const isPlayed = audio.container === 'mp3' || audio.container === 'm4a'
  return isPlayed ? [track(parcel, audio.seconds, audio.container), original] : [original]
}

function track({ deps, generation, bytes, name, parts }: Parcel, seconds: number, extension = 'mp3'): Way {
  const { title } = generation.request
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

/** The picture is a courtesy before the model itself: its failure holds nothing up. */
async function modelWays(parcel: Parcel): Promise<Way[] | undefined> {
  const { deps, generation, artifact, bytes, name } = parcel
  if (!isGlb(bytes)) return undefined
  const preview = await previewGlb(bytes)
  const thumbnail = preview && (await imageThumbnail(preview))
  const place = { chatId: generation.chatId, threadId: generation.threadId }
  const showPreview = async () => {
    if (!preview || artifact.fileId !== null) return
    const file = new InputFile(preview, `${name}.jpg`)
    const sent = await sendInto(place, (into) => deps.api.sendPhoto(place.chatId, file, into)).catch(
      () => undefined,
    )
    if (sent) await keepPicture(deps, artifact, sent)
  }
  const document = asDocument(parcel, 'glb', jpeg('thumbnail', thumbnail))
  return [
    async () => {
      await showPreview()
      return document()
    },
    document,
  ]
}

function asDocument({ deps, generation, bytes, name, parts }: Parcel, extension = 'bin', more = {}): Way {
  const file = new InputFile(bytes, `${name}.${extension}`)
  return () =>
    sendInto<Message>(generation, (into) =>
      deps.api.sendDocument(generation.chatId, file, { ...parts.all, ...into, ...more }),
    )
}
