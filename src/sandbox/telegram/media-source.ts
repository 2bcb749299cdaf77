// The media of a request: an upload, or the id of a known file.

import type { PhotoSize } from 'grammy/types'
import { z } from 'zod'
import { kindFacts, type MediaContent, type MediaKind } from './media-kinds.ts'
import { type ReceivedFile, storeMedia, storeThumbnail } from './media-store.ts'
import { int } from './params.ts'
import { refuse } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'

/** Parameters that describe media, the same in methods and in `InputMedia`. */
export const mediaParams = {
  width: int.optional(),
  height: int.optional(),
  duration: int.optional(),
  title: z.string().optional(),
  performer: z.string().optional(),
  thumbnail: z.string().optional(),
}

type Uploads = ReadonlyMap<string, Upload>
type MediaParams = z.output<z.ZodObject<typeof mediaParams>>

function uploadOf(uploads: Uploads, reference: string): ReceivedFile {
  return (
    uploads.get(reference.slice('attach://'.length)) ?? refuse('wrong file identifier/HTTP URL specified')
  )
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
  if (!source.startsWith('attach://')) return byFileId(server, kind, source)
  const given = { ...params, thumbnail: await thumbnailOf(server, uploads, params) }
  return storeMedia(server, kind, uploadOf(uploads, source), given)
}
