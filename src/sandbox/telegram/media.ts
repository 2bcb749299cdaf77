// Files of messages: the type and size of uploaded bytes, the ids under which they are stored, and the content of a message that is made of
// them. The declared type is ignored, since it is often wrong.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { PhotoSize } from 'grammy/types'
import { randomText } from '../random.ts'
import { defined } from './defined.ts'
import { refuse } from './refusal.ts'
import { filePath, type TelegramServer } from './server.ts'
import type { MediaContent, MediaKind, StoredFile } from './state.ts'

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function isoMedia(bytes: Buffer): string {
  const brand = ascii(bytes, 8, 12)
  if (brand === 'qt  ') return 'video/quicktime'
  return brand.startsWith('M4A') ? 'audio/mp4' : 'video/mp4'
}

const isMp3 = (bytes: Buffer) =>
  ascii(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)

const ebml = (bytes: Buffer) => (ascii(bytes, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska')

const riff = (bytes: Buffer) => (ascii(bytes, 8, 12) === 'WEBP' ? 'image/webp' : 'audio/wav')

const signatures: readonly [string, number, string | ((bytes: Buffer) => string)][] = [
  ['\x89PNG', 0, 'image/png'],
  ['\xff\xd8\xff', 0, 'image/jpeg'],
  ['GIF8', 0, 'image/gif'],
  ['RIFF', 0, riff],
  ['ftyp', 4, isoMedia],
  ['\x1aE\xdf\xa3', 0, ebml],
  ['OggS', 0, 'audio/ogg'],
  ['fLaC', 0, 'audio/flac'],
  ['%PDF', 0, 'application/pdf'],
  ['PK\x03\x04', 0, 'application/zip'],
  ['glTF', 0, 'model/gltf-binary'],
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
  const signature = signatures.find(([text, at]) => ascii(bytes, at, at + text.length) === text)?.[2]
  if (signature !== undefined) return typeof signature === 'string' ? signature : signature(bytes)
  if (isMp3(bytes)) return 'audio/mpeg'
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return extensions[extension] ?? 'application/octet-stream'
}

/** Whether an Ogg file contains Opus. */
const isOpus = (bytes: Buffer): boolean => ascii(bytes, 0, 128).includes('OpusHead')

interface Size {
  width: number
  height: number
}

function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

function imageSize(bytes: Buffer, mime: string): Size | undefined {
  if (bytes.length < 30) return undefined
  switch (mime) {
    case 'image/png':
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    case 'image/gif':
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    case 'image/jpeg':
      return jpegSize(bytes)
    case 'image/webp':
      return webpSize(bytes)
    default:
      return undefined
  }
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

const isOf = (title: string, folder: string, idPrefix: string, accepts: KindFacts['accepts']): KindFacts => ({
  ...{ title, folder, idPrefix, accepts },
})

export const kindFacts: Readonly<Record<MediaKind, KindFacts>> = {
  photo: isOf('Photo', 'photos', 'AgACAgIAAxkB', (mime) => mime.startsWith('image/')),
  video: isOf('Video', 'videos', 'BAACAgIAAxkB', among('video/mp4')),
  animation: isOf('Animation', 'animations', 'CgACAgIAAxkB', among('image/gif', 'video/mp4')),
  video_note: isOf('VideoNote', 'video_notes', 'DQACAgIAAxkB', among('video/mp4')),
  audio: isOf('Audio', 'music', 'CQACAgIAAxkB', among('audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac')),
  voice: isOf('VoiceNote', 'voice', 'AwACAgIAAxkB', isVoiceFormat),
  document: isOf('Document', 'documents', 'BQACAgIAAxkB', () => true),
}

/** The kind that an upload gets: a video that is not MP4, or a voice message in another format, becomes a document. */
const storedKind = (wanted: MediaKind, mime: string, bytes: Buffer): MediaKind =>
  wanted === 'photo' || kindFacts[wanted].accepts(mime, bytes) ? wanted : 'document'

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

const extensionOf = (name: string, mime: string): string => {
  const given = extname(name)
  if (/^\.[a-z0-9]{1,8}$/i.test(given)) return given
  const usual = usualExtensions.get(mime) ?? mime.split('/')[1]?.replace(/\W/g, '').slice(0, 8)
  return `.${usual || 'bin'}`
}

const usualExtensions = new Map([
  ['image/jpeg', 'jpg'],
  ['audio/ogg', 'oga'],
])

async function writeToDisk(
  server: TelegramServer,
  folder: string,
  name: string,
  mime: string,
  bytes: Buffer,
) {
  const path = `${folder}/file_${server.state.nextFileNumber}${extensionOf(name, mime)}`
  server.state.nextFileNumber += 1
  await mkdir(dirname(filePath(server, path)), { recursive: true })
  await writeFile(filePath(server, path), bytes)
  return path
}

function photoDimensions(bytes: Buffer, mime: string): Size {
  if (bytes.length > photoLimit) tooBig(bytes.length, ' for a photo', photoLimit)
  const size = imageSize(bytes, mime)
  if (!size || size.width === 0 || size.height === 0) return refuse('IMAGE_PROCESS_FAILED')
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

export interface ReceivedFile {
  bytes: Buffer
  name: string
}

/** Stores the file and returns the content of its message. @throws Refusal as Telegram would */
export async function storeMedia(
  server: TelegramServer,
  wanted: MediaKind,
  { bytes, name }: ReceivedFile,
  given: MediaAttributes,
): Promise<MediaContent> {
  if (bytes.length === 0) return refuse('file must be non-empty')
  const mime = (wanted === 'photo' ? undefined : given.mime) ?? mimeOf(bytes, name)
  const kind = storedKind(wanted, mime, bytes)
  const { folder, idPrefix } = kindFacts[kind]
  if (bytes.length > uploadLimit) return refuse('Request Entity Too Large', 413)
  const full = kind === 'photo' ? photoDimensions(bytes, mime) : undefined

  const path = await writeToDisk(server, folder, name, mime, bytes)
  const facts = { kind, path, mime, name }
  const keep = (ids: Ids, size: number, content: MediaContent) => {
    const { file_id, file_unique_id } = ids
    server.state.files[file_id] = { ...facts, file_id, file_unique_id, size, content }
  }
  if (full) {
    const content = { photo: photoSizes(server, bytes, full) }
    for (const size of content.photo) keep(size, bytes.length, content)
    return content
  }
  const ids = newIds(server, idPrefix)
  const content = contentOf(kind, ids, { size: bytes.length, mime, name }, given)
  keep(ids, bytes.length, content)
  return content
}

export async function storeThumbnail(
  server: TelegramServer,
  { bytes, name }: ReceivedFile,
): Promise<PhotoSize> {
  if (bytes.length > thumbnailLimit) return tooBig(bytes.length, ' for a thumbnail', thumbnailLimit)
  const mime = mimeOf(bytes, name)
  const size = imageSize(bytes, mime)
  if (!size) return refuse('IMAGE_PROCESS_FAILED')
  const path = await writeToDisk(server, 'thumbnails', name, mime, bytes)
  const ids = newIds(server, 'AAMCAgADGQEA')
  const thumbnail = { ...ids, ...size, file_size: bytes.length }
  server.state.files[ids.file_id] = {
    ...ids,
    kind: 'thumbnail',
    path,
    mime,
    name,
    size: bytes.length,
    content: { photo: [thumbnail] },
  }
  return thumbnail
}
