// The kinds of media a message can hold: which formats each takes, where its files lie, its names in Telegram.

import type { Message } from 'grammy/types'
import { isOpus } from './mime.ts'

export const mediaKinds = ['photo', 'video', 'animation', 'audio', 'voice', 'document'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The piece of a message that is the media itself. */
export type MediaContent = Pick<Message, 'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'document'>

export interface StoredFile {
  file_id: string
  file_unique_id: string
  kind: MediaKind | 'thumbnail'
  /** Telegram's `file_path`, and the place under our own folder. */
  path: string
  size: number
  mime: string
  name: string
  /** What a message that re-sends this file id contains. */
  content: MediaContent
}

interface KindFacts {
  /** Telegram's own name, as its errors print it. */
  title: string
  folder: string
  idPrefix: string
  takes(mime: string, bytes: Buffer): boolean
}

const among =
  (...mimes: string[]) =>
  (mime: string) =>
    mimes.includes(mime)

const isSpeech = (mime: string, bytes: Buffer) =>
  mime === 'audio/ogg' ? isOpus(bytes) : mime === 'audio/mpeg' || mime === 'audio/mp4'

export const kindFacts: Readonly<Record<MediaKind, KindFacts>> = {
  photo: {
    title: 'Photo',
    folder: 'photos',
    idPrefix: 'AgACAgIAAxkB',
    takes: (mime) => mime.startsWith('image/'),
  },
  video: { title: 'Video', folder: 'videos', idPrefix: 'BAACAgIAAxkB', takes: among('video/mp4') },
  animation: {
    title: 'Animation',
    folder: 'animations',
    idPrefix: 'CgACAgIAAxkB',
    takes: among('image/gif', 'video/mp4'),
  },
  audio: {
    title: 'Audio',
    folder: 'music',
    idPrefix: 'CQACAgIAAxkB',
    takes: among('audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac'),
  },
  voice: { title: 'VoiceNote', folder: 'voice', idPrefix: 'AwACAgIAAxkB', takes: isSpeech },
  document: { title: 'Document', folder: 'documents', idPrefix: 'BQACAgIAAxkB', takes: () => true },
}

/** What Telegram makes of an upload: a video that is not MP4, or a voice not in its formats, is a document. */
export const settledKind = (wanted: MediaKind, mime: string, bytes: Buffer): MediaKind =>
  wanted === 'photo' || kindFacts[wanted].takes(mime, bytes) ? wanted : 'document'
