// Files in messages: a photo, a video, a voice message, a document with a picture in it, or a text; and the fields of a model that take
// them.

import type { Document, Message } from 'grammy/types'
import { z } from 'zod'
import {
  type Attachment,
  attachment,
  brokenPicture,
  isTakenPicture,
  type Medium,
  mediumOf,
} from '../../catalog/field.ts'
import { maxFileBytes, maxInlineBytes } from '../../catalog/media.ts'
import { commands, type Model } from '../../catalog/model.ts'
import type { FrameWords } from '../../form/answer.ts'
import { type FileUse, type Placed, placeFiles } from '../../form/switch.ts'
import { probeMedia, probePicture, readPdf } from '../../media/convert.ts'
import { headBytes, mimeIn, plainTextOf } from '../../runtime/file-format.ts'
import { cutTo } from '../../runtime/text.ts'
import { type Files, type FilesAndHeads, measuresOf, type TelegramFile } from '../../telegram/files.ts'
import { locales, type Texts } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { noteKind } from '../notes.ts'

type WithFile = Pick<
  Message,
  'photo' | 'video' | 'animation' | 'video_note' | 'voice' | 'audio' | 'document' | 'sticker'
>

/**
 * The file of a message, measured by its bytes: kind, type, size, length and pixels. Its name and its declared type come from the sender's
 * program, and Telegram gives different facts of the same file, depending on how it was sent.
 * @returns undefined when the message has no file that a model can take
 */
export async function attachmentIn(files: FilesAndHeads, message: WithFile): Promise<Attachment | undefined> {
  const { document, animation } = message
  const isDocument = document !== undefined && !animation
  const said = isDocument ? await documentOf(files, document) : attachmentOf(message)
  if (!said || isMadeByTelegram(message) || (said.bytes ?? 0) > maxFileBytes) return said
  const { file, medium, mime, bytes } = said
  const read = await files.read(file, maxFileBytes)
  // What cannot be measured now is left for the gateway to check.
  const unmeasured = { file, medium, mime, ...(bytes === undefined ? {} : { bytes }) }
  if (!read.ok) return unmeasured
  // Only a document can be something else: a question below a video is never asked without it.
  return (await measured(file, read.bytes, mime)) ?? (isDocument ? undefined : unmeasured)
}

/** Telegram makes photos and pictures of stickers anew, so what it tells of them is true. */
const isMadeByTelegram = ({ photo, sticker }: WithFile): boolean =>
  photo !== undefined || sticker !== undefined

/** A document that begins like a picture, a video or sound. A head that cannot be read leaves the declared type. */
async function documentOf(files: FilesAndHeads, document: Document): Promise<Attachment | undefined> {
  const head = await files.head(document.file_id, headBytes)
  const { mime_type: said = '' } = document
  const mime_type = head ? (mimeIn(head, said) ?? 'application/octet-stream') : said
  return attachmentOf({ document: { ...document, mime_type } })
}

/** The facts of the bytes; undefined when they are neither picture nor video nor sound. */
async function measured(file: string, bytes: Buffer, said: string): Promise<Attachment | undefined> {
  const type = mimeIn(bytes, said) ?? ''
  const kind = mediumOf(type)
  if (!kind) return undefined
  const known = { file, bytes: bytes.length }
  if (kind === 'image') {
    const size = isTakenPicture(type) ? await probePicture(bytes) : {}
    return { ...known, medium: kind, mime: size ? type : brokenPicture, ...size }
  }
  const { video, audio } = (await probeMedia(bytes)) ?? {}
  const medium = video ? 'video' : audio ? 'audio' : kind
  return { ...known, medium, mime: type.replace(/^\w+/, medium), ...shownFacts(video ?? audio) }
}

/** The length is rounded: a video of fifteen seconds ends with a sound that is some milliseconds longer. */
function shownFacts(facts: { seconds: number; width?: number; height?: number } | undefined) {
  if (!facts) return {}
  const { width, height } = facts
  return { seconds: Math.round(facts.seconds * 10) / 10, ...(width && height ? { width, height } : {}) }
}

/** The attachment of a message. The declared type of a document counts. */
export function attachmentOf(message: WithFile): Attachment | undefined {
  const { video, animation, video_note, voice, audio, document, sticker } = message
  const photo = message.photo?.at(-1)
  if (photo) return toAttachment('image', usualMimes.image, photo)
  // Telegram sends an animation also as a document with the same file.
  const moving = video ?? animation ?? video_note
  if (moving) return toAttachment('video', usualMimes.video, moving)
  if (voice) return toAttachment('audio', 'audio/ogg', voice)
  if (audio) return toAttachment('audio', usualMimes.audio, audio)
  if (sticker && !sticker.is_animated && !sticker.is_video)
    return toAttachment('image', 'image/webp', sticker)
  const medium = mediumOf(document?.mime_type ?? '')
  return document && medium ? toAttachment(medium, usualMimes[medium], document) : undefined
}

const usualMimes: Readonly<Record<Medium, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
}

/** The sender chooses this text, and it goes into data URIs and headers: only a plain type is accepted. */
function plainType(said: string): string | undefined {
  const type = said.split(';', 1).join('').trim().toLowerCase()
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined
}

function toAttachment(medium: Medium, usualMime: string, file: TelegramFile): Attachment {
  const { file_id, mime_type = '' } = file
  return { file: file_id, medium, mime: plainType(mime_type) ?? usualMime, ...measuresOf(file) }
}

/** In bytes; enough for a long prompt in any script. */
const textFileLimit = 64 * 1024

type TextFile = Pick<Document, 'file_id'> & Partial<Pick<Document, 'mime_type' | 'file_size'>>

/** The largest file of this type that is read as a text, in bytes; zero for other types. */
function textLimit({ mime_type: mime = '' }: TextFile): number {
  if (mime === 'application/pdf') return maxInlineBytes
  return mime.startsWith('text/') ? textFileLimit : 0
}

/** Whether a file can be read as a prompt. */
export const isTextFile = (file: TextFile): boolean => (file.file_size ?? 1) <= textLimit(file)

/**
 * Reads a prompt longer than one message of Telegram (4096 characters) from a text file or a PDF.
 * @returns undefined unless the file is small and readable
 */
export async function readTextFile(files: Files, file: TextFile | undefined): Promise<string | undefined> {
  if (!file || !isTextFile(file)) return undefined
  const read = await files.read(file.file_id, textLimit(file))
  if (!read.ok) return undefined
  if (file.mime_type === 'application/pdf')
    return cutTo((await readPdf(read.bytes))?.text ?? '', textFileLimit) || undefined
  return plainTextOf(read.bytes)
}

/** The words by which a caption names a frame, in every language, since people mix languages. */
export const frameWordsIn = (texts: Texts): FrameWords =>
  new Map(
    locales.flatMap((locale) =>
      (['first', 'last', 'frame'] as const).flatMap((place) => {
        const words = texts(locale).plain(`caption-${place}`).split(' ')
        return words.map((word) => [word, place === 'frame' ? undefined : place] as const)
      }),
    ),
  )

export const placedIn = (
  { media }: Pick<BotDeps, 'media'>,
  model: Model,
  files: readonly Attachment[],
  as: FileUse = 'one',
): Placed => placeFiles(model, files, as, media.link !== undefined)

/** Whether the model has a field for such files, even if that field refuses these. The first such model decides. */
export const isDecided = (placed: Placed): boolean => placed.ok || placed.because !== undefined

// The note of the message that asks what to do with files. It stores the files and the words sent with them.

const about = z.strictObject({
  /** Missing when the content is none that a model takes. */
  file: attachment.exactOptional(),
  /** The other files of the album. */
  more: z.array(attachment).exactOptional(),
  words: z.string(),
  messageId: z.int().optional(),
  /** The command that the files came with. */
  command: z.enum(commands).exactOptional(),
  /** A voice message or a video note, which is a question by itself. */
  isVoice: z.literal(true).exactOptional(),
  /** Telegram's id of the album: its files arrive one by one. */
  album: z.string().exactOptional(),
})
export type FileOffer = z.output<typeof about>

export const fileOffer = noteKind('file-offer', about)

export const filesIn = ({ file, more = [] }: FileOffer): readonly Attachment[] =>
  file ? [file, ...more] : []
