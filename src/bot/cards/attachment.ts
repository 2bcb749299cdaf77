// The file in a message, whatever Telegram calls it: photo, video, voice, a document with a picture in it.

import type { Message } from 'grammy/types'
import type { Attachment, Medium } from '../../catalog/attachment.ts'
import type { FrameWords } from '../../form/attach.ts'
import { locales, type Texts } from '../../texts.ts'

export type WithFile = Pick<
  Message,
  'photo' | 'video' | 'animation' | 'video_note' | 'voice' | 'audio' | 'document' | 'sticker'
>

/** What Telegram's kinds of files have in common. */
interface File {
  readonly file_id: string
  readonly file_size?: number
  readonly mime_type?: string
  readonly width?: number
  readonly height?: number
  readonly length?: number
  readonly duration?: number
}

/** Undefined when there is none, or none that a model could take. */
export function attachmentOf(message: WithFile): Attachment | undefined {
  const { video, animation, video_note, voice, audio, document, sticker } = message
  const photo = message.photo?.at(-1)
  if (photo) return toAttachment('image', usual.image, photo)
  // An animation comes with a document that is the same file.
  const moving = video ?? animation ?? video_note
  if (moving) return toAttachment('video', usual.video, moving)
  if (voice) return toAttachment('audio', 'audio/ogg', voice)
  if (audio) return toAttachment('audio', usual.audio, audio)
  if (sticker && !sticker.is_animated && !sticker.is_video)
    return toAttachment('image', 'image/webp', sticker)
  const medium = mediumOf(document?.mime_type)
  return document && medium ? toAttachment(medium, usual[medium], document) : undefined
}

const usual: Readonly<Record<Medium, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
}

function mediumOf(mime = ''): Medium | undefined {
  const [kind] = mime.toLowerCase().split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined
}

/** The sender's word, which will stand in data URIs and headers: what is no plain type is not repeated. */
function plainType(said: string): string | undefined {
  const type = said.split(';', 1).join('').trim().toLowerCase()
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined
}

function toAttachment(medium: Medium, usualMime: string, file: File): Attachment {
  const { file_id, file_size, mime_type = '', duration } = file
  const width = file.width ?? file.length
  const height = file.height ?? file.length
  return {
    file: file_id,
    medium,
    mime: plainType(mime_type) ?? usualMime,
    ...(file_size === undefined ? {} : { bytes: file_size }),
    ...(width && height ? { width, height } : {}),
    ...(duration === undefined ? {} : { seconds: duration }),
  }
}

/** What a caption can call a frame: the words of every language, since people mix them. */
export const frameWordsIn = (texts: Texts): FrameWords =>
  new Map(
    locales.flatMap((locale) =>
      (['first', 'last'] as const).map((place) => [
        texts(locale).plain(`frame-${place}`).toLowerCase(),
        place,
      ]),
    ),
  )
