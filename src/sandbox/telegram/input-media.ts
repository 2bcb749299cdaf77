// `InputMedia`: media in albums and edits, with their captions, and which kinds an album can combine.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { mediaContent, mediaParams } from './media-source.ts'
import { captionParams } from './params.ts'
import { refuse } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'
import { messageCaption } from './text.ts'

export const inputMedia = z.object({
  ...captionParams,
  ...mediaParams,
  type: z.enum(['photo', 'video', 'audio', 'document']),
  media: z.string().default(''),
})

type InputMedia = z.output<typeof inputMedia>
type Uploads = ReadonlyMap<string, Upload>

export async function inputMediaContent(
  server: TelegramServer,
  uploads: Uploads,
  item: InputMedia,
): Promise<Partial<Message>> {
  if (item.media === '') return refuse("can't parse InputMedia: media not found")
  const caption = messageCaption(server, item)
  const content = await mediaContent(server, uploads, item.type, item.media, item)
  return { ...content, ...caption }
}

/** An album holds items of one family: photos and videos, or audio, or documents. */
function albumFamily(content: Partial<Message>): string {
  if (content.photo || content.video) return 'visual'
  return content.audio ? 'audio' : 'document'
}

export async function albumItems(server: TelegramServer, uploads: Uploads, items: readonly InputMedia[]) {
  if (items.length === 0) return refuse('there are no messages to send')
  if (items.length > 10) return refuse('too many messages to send as an album')
  if (items.length < 2) return refuse('an album must include 2-10 items')
  const contents: Partial<Message>[] = []
  for (const item of items) contents.push(await inputMediaContent(server, uploads, item))
  const families = new Set(contents.map(albumFamily))
  return families.size === 1 ? contents : refuse("can't use the media of the specified type in the album")
}
