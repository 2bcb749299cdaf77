// The kinds of media in messages: the formats, folder and Telegram names of each.

import type { Message } from 'grammy/types'
import { isOpus } from './mime.ts'

export const mediaKinds = [
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'sticker',
  'video_note',
] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The fields of a message that contain the media. */
export type MediaContent = Pick<Message, MediaKind>

export interface StoredFile {
  file_id: string
  file_unique_id: string
  kind: MediaKind | 'thumbnail'
  /** Telegram's `file_path`, which is also the path below the folder of the local Telegram. */
  path: string
  size: number
  mime: string
  name: string
  /** The content of a message that sends this file id again. */
  content: MediaContent
}

interface KindFacts {
  /** The name that Telegram uses in error messages. */
  title: string
  folder: string
  idPrefix: string
  accepts(mime: string, bytes: Buffer): boolean
}

const among =
  (...mimes: string[]) =>
  (mime: string) =>
    mimes.includes(mime)

const isVoiceFormat = (mime: string, bytes: Buffer) =>
  mime === 'audio/ogg' ? isOpus(bytes) : mime === 'audio/mpeg' || mime === 'audio/mp4'

export const kindFacts: Readonly<Record<MediaKind, KindFacts>> = {
  photo: {
    title: 'Photo',
    folder: 'photos',
    idPrefix: 'AgACAgIAAxkB',
    accepts: (mime) => mime.startsWith('image/'),
  },
  video: { title: 'Video', folder: 'videos', idPrefix: 'BAACAgIAAxkB', accepts: among('video/mp4') },
  animation: {
    title: 'Animation',
    folder: 'animations',
    idPrefix: 'CgACAgIAAxkB',
    accepts: among('image/gif', 'video/mp4'),
  },
  audio: {
    title: 'Audio',
    folder: 'music',
    idPrefix: 'CQACAgIAAxkB',
    accepts: among('audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac'),
  },
  voice: { title: 'VoiceNote', folder: 'voice', idPrefix: 'AwACAgIAAxkB', accepts: isVoiceFormat },
  sticker: {
    title: 'Sticker',
    folder: 'stickers',
    idPrefix: 'CAACAgIAAxkB',
    accepts: among('image/webp', 'image/png', 'video/webm', 'application/x-tgsticker'),
  },
  video_note: {
    title: 'VideoNote',
    folder: 'video_notes',
    idPrefix: 'DQACAgIAAxkB',
    accepts: among('video/mp4'),
  },
  document: { title: 'Document', folder: 'documents', idPrefix: 'BQACAgIAAxkB', accepts: () => true },
}

/** The kind that an upload gets: a video that is not MP4, or a voice message in another format, becomes a document. */
export const storedKind = (wanted: MediaKind, mime: string, bytes: Buffer): MediaKind =>
  wanted === 'photo' || kindFacts[wanted].accepts(mime, bytes) ? wanted : 'document'
