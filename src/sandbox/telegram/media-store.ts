// Stores uploaded bytes as a file with ids, and makes the content of a message from it.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { PhotoSize, Sticker } from 'grammy/types'
import { randomText } from '../random.ts'
import { defined } from './defined.ts'
import { imageSize, type Size } from './image-size.ts'
import { kindFacts, type MediaContent, type MediaKind, type StoredFile, storedKind } from './media-kinds.ts'
import { mimeOf } from './mime.ts'
import { refuse } from './refusal.ts'
import { filePath, type TelegramServer } from './server.ts'

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

function stickerOf(
  ids: Ids,
  {
    size,
    mime,
    picture = { width: 512, height: 512 },
  }: { size: number; mime: string; picture?: Size | undefined },
  { thumbnail }: MediaAttributes,
): Sticker {
  return {
    ...ids,
    type: 'regular',
    ...picture,
    is_animated: mime === 'application/x-tgsticker',
    is_video: mime === 'video/webm',
    file_size: size,
    ...defined({ thumbnail }),
  }
}

function contentOf(
  kind: MediaKind,
  ids: Ids,
  file: { size: number; mime: string; name: string; picture: Size | undefined },
  given: MediaAttributes,
) {
  const { thumbnail, title, performer, width = 0, height = 0, duration = 0 } = given
  const common = { ...ids, file_size: file.size, mime_type: file.mime }
  const named = { ...common, file_name: file.name, ...defined({ thumbnail }) }
  const contents: Record<Exclude<MediaKind, 'photo'>, () => MediaContent> = {
    video: () => ({ video: { ...named, width, height, duration } }),
    // Telegram also sets `document`, for compatibility with old bots.
    animation: () => ({ animation: { ...named, width, height, duration }, document: named }),
    audio: () => ({ audio: { ...named, duration, ...defined({ title, performer }) } }),
    voice: () => ({ voice: { ...common, duration } }),
    document: () => ({ document: named }),
    sticker: () => ({ sticker: stickerOf(ids, file, given) }),
    video_note: () => ({
      video_note: {
        ...ids,
        file_size: file.size,
        duration,
        length: 240,
        ...defined({ thumbnail }),
      },
    }),
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
  const picture = imageSize(bytes, mime)
  const content = contentOf(kind, ids, { size: bytes.length, mime, name, picture }, given)
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
