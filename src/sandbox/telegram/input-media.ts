// `InputMedia`: media in albums and edits, with their captions, and which kinds an album can combine.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import { mediaContent, mediaParams } from './media-source.ts'
import { captionParams, str } from './params.ts'
import { refuse } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'
import { messageCaption } from './text.ts'

export const inputMedia = z.object({
  ...captionParams,
  ...mediaParams,
  type: z.enum(['photo', 'video', 'animation', 'audio', 'voice', 'document']),
  media: str.default(''),
})

type InputMedia = z.output<typeof inputMedia>
type Uploads = ReadonlyMap<string, Upload>

export async function inputMediaContent(
  server: TelegramServer,
  uploads: Uploads,
  item: InputMedia,
): Promise<Partial<Message>> {
  if (item.media === '') return refuse("can't parse InputMedia: media not found")
  if (item.type === 'voice') return refuse('can\'t parse InputMedia: type "voice" is unsupported')
  const caption = messageCaption(server, item)
  const content = await mediaContent(server, uploads, item.type, item.media, item)
  const spoiler = defined({ has_media_spoiler: item.has_spoiler ? (true as const) : undefined })
  return { ...content, ...caption, ...spoiler }
}

/** An album holds items of one family: photos and videos, or audio, or documents. */
export function albumFamily(content: Partial<Message>): string {
  if (content.photo || content.video) return 'visual'
  return content.audio ? 'audio' : 'document'
}

export async function albumItems(server: TelegramServer, uploads: Uploads, items: readonly InputMedia[]) {
  if (items.length === 0) return refuse('there are no messages to send')
  if (items.length > 10) return refuse('too many messages to send as an album')
  if (items.length < 2) return refuse('an album must include 2-10 items')
  if (items.some((item) => item.type === 'animation')) {
    return refuse('can\'t parse InputMedia: type "animation" can\'t be used in sendMediaGroup')
  }
  const contents: Partial<Message>[] = []
  for (const item of items) contents.push(await inputMediaContent(server, uploads, item))
  const families = new Set(contents.map(albumFamily))
  return families.size === 1 ? contents : refuse("can't use the media of the specified type in the album")
}
