// The file in a message: a photo, a video, a voice message, a document with a picture in it, or a text.

import type { Document, Message } from 'grammy/types'
import { type Attachment, type Medium, mediumOf } from '../../catalog/attachment.ts'
import type { FrameWords } from '../../form/attach.ts'
import { headBytes, mimeIn } from '../../media/mime.ts'
import { plainTextOf } from '../../media/plain-text.ts'
import { measuresOf, type TelegramFile } from '../../telegram/file-facts.ts'
import type { Files, FilesAndHeads } from '../../telegram/files.ts'
import { locales, type Texts } from '../../texts.ts'

type WithFile = Pick<
  Message,
  'photo' | 'video' | 'animation' | 'video_note' | 'voice' | 'audio' | 'document' | 'sticker'
>

/**
 * The type of a document is decided by its first bytes: its name and its declared type come from the sender's program.
 * @returns undefined when the message has no file that a model can take
 */
export async function attachmentIn(
  files: Pick<FilesAndHeads, 'head'>,
  message: WithFile,
): Promise<Attachment | undefined> {
  const { document, animation } = message
  if (!document || animation || isReadAsText(document)) return attachmentOf(message)
  const { file_id, mime_type: said = '' } = document
  const head = await files.head(file_id, headBytes)
  if (!head) return attachmentOf(message)
  const mime_type = mimeIn(head, said) ?? 'application/octet-stream'
  return attachmentOf({ document: { ...document, mime_type } })
}

/** Whether the document is read later, as a whole: a text or a PDF. */
const isReadAsText = ({ mime_type: said = '' }: Document): boolean => /^(text\/|application\/pdf)/i.test(said)

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

/**
 * Reads a prompt longer than one message of Telegram (4096 characters) from a file.
 * @returns undefined unless the file is small and readable
 */
export async function readTextFile(
  files: Files,
  document: (Pick<Document, 'file_id'> & Partial<Pick<Document, 'mime_type' | 'file_size'>>) | undefined,
): Promise<string | undefined> {
  if (!document?.mime_type?.startsWith('text/') || (document.file_size ?? 0) > textFileLimit) return undefined
  const read = await files.read(document.file_id, textFileLimit)
  return read.ok ? plainTextOf(read.bytes) : undefined
}

/** The words by which a caption names a frame, in every language, since people mix languages. */
export const frameWordsIn = (texts: Texts): FrameWords =>
  new Map(
    locales.flatMap((locale) =>
      (['first', 'last'] as const).map((place) => [
        texts(locale).plain(`frame-${place}`).toLowerCase(),
        place,
      ]),
    ),
  )
