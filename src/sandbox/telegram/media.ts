// Files of messages: the type and size of uploaded bytes, the ids under which they are stored, and the content of a message that is made of
// them. The declared type is ignored, since it is often wrong.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PhotoSize } from 'grammy/types'
import sharp, { type Metadata } from 'sharp'
import { randomText } from '../random.ts'
import { defined } from './defined.ts'
import { refuse } from './refusal.ts'
import type { Upload } from './request.ts'
import { filePath, type TelegramServer } from './server.ts'
import type { MediaContent, MediaKind, StoredFile } from './state.ts'

/** How files of these types begin. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^.PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^RIFF/, 'audio/wav'],
  [/^.{4}ftypqt/s, 'video/quicktime'],
  [/^.{4}ftypM4A/s, 'audio/mp4'],
  [/^.{4}ftyp/s, 'video/mp4'],
  [/^.E\xdf\xa3.*webm/s, 'video/webm'],
  [/^.E\xdf\xa3/s, 'video/x-matroska'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^%PDF/, 'application/pdf'],
  [/^PK../s, 'application/zip'],
  [/^glTF/, 'model/gltf-binary'],
  [/^(ID3|\xff[\xe2\xe3\xea\xeb\xf2\xf3\xfa\xfb])/, 'audio/mpeg'],
]

const extensions: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  svg: 'image/svg+xml',
  html: 'text/html',
  glb: 'model/gltf-binary',
  obj: 'model/obj',
  stl: 'model/stl',
  mp3: 'audio/mpeg',
  zip: 'application/zip',
}

export function mimeOf(bytes: Buffer, name: string): string {
  const head = bytes.toString('latin1', 0, 64)
  const known = signatures.find(([pattern]) => pattern.test(head))?.[1]
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return known ?? extensions[extension] ?? 'application/octet-stream'
}

/** Whether an Ogg file contains Opus. */
const isOpus = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 128).includes('OpusHead')

interface Size {
  width: number
  height: number
}

/** @returns undefined for anything but a picture of a format that Telegram knows */
async function imageSize(bytes: Buffer): Promise<Size | undefined> {
  const {
    format = '',
    width,
    height,
  } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }) as Partial<Metadata>)
  return ['png', 'jpeg', 'webp', 'gif'].includes(format) && width && height ? { width, height } : undefined
}

interface KindFacts {
  /** The name that Telegram uses in error messages. */
  readonly title: string
  readonly folder: string
  readonly idPrefix: string
  readonly mimes: RegExp
}

export const kindFacts: Readonly<Record<MediaKind, KindFacts>> = {
  photo: { title: 'Photo', folder: 'photos', idPrefix: 'AgACAgIAAxkB', mimes: /./ },
  video: { title: 'Video', folder: 'videos', idPrefix: 'BAACAgIAAxkB', mimes: /^video\/mp4$/ },
  animation: { title: 'Animation', folder: 'animations', idPrefix: 'CgACAgIAAxkB', mimes: /\/(gif|mp4)$/ },
  video_note: { title: 'VideoNote', folder: 'video_notes', idPrefix: 'DQACAgIAAxkB', mimes: /^video\/mp4$/ },
  audio: { title: 'Audio', folder: 'music', idPrefix: 'CQACAgIAAxkB', mimes: /^audio\/(mpeg|mp4|ogg|flac)$/ },
  voice: { title: 'VoiceNote', folder: 'voice', idPrefix: 'AwACAgIAAxkB', mimes: /^audio\/(ogg|mpeg|mp4)$/ },
  document: { title: 'Document', folder: 'documents', idPrefix: 'BQACAgIAAxkB', mimes: /./ },
}

/** The kind that an upload gets: a video that is not MP4, or a voice message in another format, becomes a document. */
function storedKind(wanted: MediaKind, mime: string, bytes: Buffer): MediaKind {
  const isVoice = wanted !== 'voice' || mime !== 'audio/ogg' || isOpus(bytes)
  return isVoice && kindFacts[wanted].mimes.test(mime) ? wanted : 'document'
}

const photoLimit = 10 * 1024 * 1024
const uploadLimit = 50 * 1024 * 1024
const thumbnailLimit = 200 * 1024

/** What the sender states about the media; Telegram does not verify it. */
interface MediaAttributes {
  /** The type that a user's client states; bots do not state one. */
  mime?: string | undefined
  width?: number | undefined
  height?: number | undefined
  duration?: number | undefined
  title?: string | undefined
  performer?: string | undefined
  thumbnail?: PhotoSize | undefined
}

type Ids = Pick<StoredFile, 'file_id' | 'file_unique_id'>

const newIds = (server: TelegramServer, prefix: string): Ids => ({
  file_id: prefix + randomText(server.random, 60),
  file_unique_id: randomText(server.random, 15),
})

const tooBig = (size: number, what: string, limit: number) =>
  refuse(`file of size ${size} bytes is too big${what}; the maximum size is ${limit} bytes`)

const usualExtensions = new Map([
  ['image/jpeg', '.jpg'],
  ['audio/ogg', '.oga'],
])

/** Telegram keeps the extension of the name. */
const extensionOf = (name: string, mime: string): string =>
  /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ??
  usualExtensions.get(mime) ??
  `.${mime.replace(/^.*\W/, '').slice(0, 8)}`

type Kept = Omit<StoredFile, 'path' | 'size' | keyof Ids>

/** Writes the file to the disk, and stores it under each of the ids. */
async function keep(server: TelegramServer, folder: string, bytes: Buffer, ids: readonly Ids[], kept: Kept) {
  const path = `${folder}/file_${server.state.nextFileNumber}${extensionOf(kept.name, kept.mime)}`
  server.state.nextFileNumber += 1
  await mkdir(dirname(filePath(server, path)), { recursive: true })
  await writeFile(filePath(server, path), bytes)
  for (const { file_id, file_unique_id } of ids)
    server.state.files[file_id] = { ...kept, file_id, file_unique_id, path, size: bytes.length }
}

async function photoDimensions(bytes: Buffer): Promise<Size> {
  if (bytes.length > photoLimit) tooBig(bytes.length, ' for a photo', photoLimit)
  const size = (await imageSize(bytes)) ?? refuse('IMAGE_PROCESS_FAILED')
  const { width, height } = size
  const ratio = Math.max(width, height) / Math.min(width, height)
  if (width + height > 10_000 || ratio > 20) return refuse('PHOTO_INVALID_DIMENSIONS')
  return size
}

/** Telegram provides a photo in several sizes, the largest last. Here all of them are the same file. */
function photoSizes(server: TelegramServer, bytes: Buffer, full: Size): PhotoSize[] {
  const longest = Math.max(full.width, full.height)
  const limits = [90, 320, 800].filter((limit) => limit < longest)
  const scales = [...limits.map((limit) => limit / longest), 1]
  return scales.map((scale) => ({
    ...newIds(server, kindFacts.photo.idPrefix),
    file_size: Math.ceil(bytes.length * scale * scale),
    width: Math.round(full.width * scale),
    height: Math.round(full.height * scale),
  }))
}

function contentOf(
  kind: MediaKind,
  ids: Ids,
  file: { size: number; mime: string; name: string },
  given: MediaAttributes,
) {
  const { thumbnail, title, performer, width = 0, height = 0, duration = 0 } = given
  const common = { ...ids, file_size: file.size, mime_type: file.mime }
  const named = { ...common, file_name: file.name, ...defined({ thumbnail }) }
  const contents: Record<Exclude<MediaKind, 'photo'>, () => MediaContent> = {
    video: () => ({ video: { ...named, width, height, duration } }),
    // Telegram also sets `document`, for compatibility with old bots.
    animation: () => ({ animation: { ...named, width, height, duration }, document: named }),
    video_note: () => ({ video_note: { ...common, length: width, duration, ...defined({ thumbnail }) } }),
    audio: () => ({ audio: { ...named, duration, ...defined({ title, performer }) } }),
    voice: () => ({ voice: { ...common, duration } }),
    document: () => ({ document: named }),
  }
  return kind === 'photo' ? {} : contents[kind]()
}

/** Stores the file and returns the content of its message. @throws Refusal as Telegram would */
export async function storeMedia(
  server: TelegramServer,
  wanted: MediaKind,
  { bytes, name }: Upload,
  given: MediaAttributes,
): Promise<MediaContent> {
  if (bytes.length === 0) return refuse('file must be non-empty')
  const mime = (wanted === 'photo' ? undefined : given.mime) ?? mimeOf(bytes, name)
  const kind = storedKind(wanted, mime, bytes)
  const { folder, idPrefix } = kindFacts[kind]
  if (bytes.length > uploadLimit) return refuse('Request Entity Too Large', 413)
  const ids = newIds(server, idPrefix)
  const photo = kind === 'photo' ? photoSizes(server, bytes, await photoDimensions(bytes)) : undefined
  const content = photo ? { photo } : contentOf(kind, ids, { size: bytes.length, mime, name }, given)
  await keep(server, folder, bytes, photo ?? [ids], { kind, mime, name, content })
  return content
}

export async function storeThumbnail(server: TelegramServer, { bytes, name }: Upload): Promise<PhotoSize> {
  if (bytes.length > thumbnailLimit) return tooBig(bytes.length, ' for a thumbnail', thumbnailLimit)
  const size = (await imageSize(bytes)) ?? refuse('IMAGE_PROCESS_FAILED')
  const thumbnail = { ...newIds(server, 'AAMCAgADGQEA'), ...size, file_size: bytes.length }
  const kept = { kind: 'thumbnail', mime: mimeOf(bytes, name), name } as const
  await keep(server, 'thumbnails', bytes, [thumbnail], { ...kept, content: { photo: [thumbnail] } })
  return thumbnail
}
