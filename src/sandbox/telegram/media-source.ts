// The media of a request: an upload, a URL that Telegram downloads, or the id of a known file.

import type { PhotoSize } from 'grammy/types'
import type { z } from 'zod'
import { kindFacts, type MediaContent, type MediaKind } from './media-kinds.ts'
import { type MediaAttributes, type ReceivedFile, storeMedia, storeThumbnail } from './media-store.ts'
import { bool, int, str } from './params.ts'
import { refuse } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'

const megabyte = 1024 * 1024
/** The sandbox downloads files from this machine only. */
const reachable = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Parameters that describe media, the same in methods and in `InputMedia`. */
export const mediaParams = {
  width: int.optional(),
  height: int.optional(),
  duration: int.optional(),
  title: str.optional(),
  performer: str.optional(),
  thumbnail: str.optional(),
  supports_streaming: bool.optional(),
  has_spoiler: bool.optional(),
  /** The side length of a video note. */
  length: int.optional(),
  /** The emoji that a sticker stands for. */
  emoji: str.optional(),
}

type Uploads = ReadonlyMap<string, Upload>
type MediaParams = z.output<z.ZodObject<typeof mediaParams>>

function uploadOf(uploads: Uploads, reference: string): ReceivedFile {
  return (
    uploads.get(reference.slice('attach://'.length)) ?? refuse('wrong file identifier/HTTP URL specified')
  )
}

/** Telegram accepts fewer formats by URL than as an upload. */
const byUrl: Readonly<Record<MediaKind, (mime: string) => boolean>> = {
  photo: (mime) => mime.startsWith('image/'),
  video: (mime) => mime === 'video/mp4',
  animation: (mime) => mime === 'image/gif' || mime === 'video/mp4',
  audio: (mime) => mime === 'audio/mpeg' || mime === 'audio/mp4',
  voice: (mime) => mime === 'audio/ogg',
  document: (mime) => mime === 'application/pdf' || mime === 'application/zip',
  sticker: (mime) => mime === 'image/webp',
  // Telegram does not accept video notes by URL.
  video_note: () => false,
}

async function download(kind: MediaKind, address: string): Promise<ReceivedFile> {
  const failed = () => refuse('failed to get HTTP URL content')
  const url = URL.canParse(address) ? new URL(address) : refuse('wrong HTTP URL specified')
  if (!reachable.has(url.hostname)) return failed()
  const response = await fetch(url).catch(failed)
  if (!response.ok) return failed()
  const mime = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (!byUrl[kind](mime)) return refuse('wrong type of the web page content')
  const bytes = Buffer.from(await response.arrayBuffer().catch(failed))
  if (bytes.length > (kind === 'photo' ? 5 : 20) * megabyte) return failed()
  return { bytes, name: url.pathname.split('/').at(-1) || 'file' }
}

async function byAddress(server: TelegramServer, kind: MediaKind, address: string, given: MediaAttributes) {
  const file = await download(kind, address)
  // A voice message of more than 1 MB that is sent by URL becomes a document.
  const isLongVoice = kind === 'voice' && file.bytes.length > megabyte
  return storeMedia(server, isLongVoice ? 'document' : kind, file, given)
}

/** A photo cannot be sent as another kind, nor the reverse; any other file keeps its own kind. */
export function byFileId(server: TelegramServer, kind: MediaKind, fileId: string): MediaContent {
  const file = server.state.files[fileId]
  if (!file) return refuse('wrong file identifier/HTTP URL specified')
  const mismatch = file.kind === 'thumbnail' || (file.kind === 'photo') !== (kind === 'photo')
  if (!mismatch) return file.content
  const title = file.kind === 'thumbnail' ? 'Thumbnail' : kindFacts[file.kind].title
  return refuse(`can't use file of type ${title} as ${kindFacts[kind].title}`)
}

async function thumbnailOf(
  server: TelegramServer,
  uploads: Uploads,
  given: MediaParams,
): Promise<PhotoSize | undefined> {
  // Telegram ignores thumbnails that are not uploads.
  if (!given.thumbnail?.startsWith('attach://')) return undefined
  return storeThumbnail(server, uploadOf(uploads, given.thumbnail))
}

export async function mediaContent(
  server: TelegramServer,
  uploads: Uploads,
  kind: MediaKind,
  source: string,
  params: MediaParams,
): Promise<MediaContent> {
  if (source === '') return refuse(`there is no ${kind.replace('_', ' ')} in the request`)
  const isUpload = source.startsWith('attach://')
  if (!isUpload && !/^https?:\/\//i.test(source)) return byFileId(server, kind, source)
  const given = { ...params, thumbnail: await thumbnailOf(server, uploads, params) }
  return isUpload
    ? storeMedia(server, kind, uploadOf(uploads, source), given)
    : byAddress(server, kind, source, given)
}
