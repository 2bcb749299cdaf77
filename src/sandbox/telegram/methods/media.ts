// Sending a photo, video, audio, voice message or document, and sending albums. A file is an upload, an address, or the id of a known file.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { randomDigits } from '../../random.ts'
import { kindFacts, storeMedia, storeThumbnail } from '../media.ts'
import { captionParams, int, json, type Method, type Methods, method } from '../method.ts'
import { destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import type { Upload } from '../request.ts'
import type { TelegramServer } from '../server.ts'
import type { MediaContent, MediaKind } from '../state.ts'
import { messageCaption } from '../text.ts'

/** Parameters that describe media, the same in methods and in `InputMedia`. */
const mediaParams = {
  width: int.optional(),
  height: int.optional(),
  duration: int.optional(),
  title: z.string().optional(),
  performer: z.string().optional(),
  thumbnail: z.string().optional(),
}

type Uploads = ReadonlyMap<string, Upload>
type MediaParams = z.output<z.ZodObject<typeof mediaParams>>

function uploadOf(uploads: Uploads, reference: string): Upload {
  return (
    uploads.get(reference.slice('attach://'.length)) ?? refuse('wrong file identifier/HTTP URL specified')
  )
}

/** A photo cannot be sent as another kind, nor the reverse; any other file keeps its own kind. */
export function byFileId(server: TelegramServer, kind: MediaKind, fileId: string): MediaContent {
  const { kind: own, content } =
    server.state.files[fileId] ?? refuse('wrong file identifier/HTTP URL specified')
  if (own !== 'thumbnail' && (own === 'photo') === (kind === 'photo')) return content
  const title = own === 'thumbnail' ? 'Thumbnail' : kindFacts[own].title
  return refuse(`can't use file of type ${title} as ${kindFacts[kind].title}`)
}

/** A file that Telegram fetches from its address. */
async function fetched(address: string): Promise<Upload> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  if (!answer?.ok) return refuse('failed to get HTTP URL content')
  const name = new URL(address).pathname.split('/').at(-1) ?? ''
  return { name, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function mediaContent(
  server: TelegramServer,
  uploads: Uploads,
  kind: MediaKind,
  source: string,
  params: MediaParams,
): Promise<MediaContent> {
  if (source === '') return refuse(`there is no ${kind.replace('_', ' ')} in the request`)
  const isAddress = /^https?:/.test(source)
  if (!isAddress && !source.startsWith('attach://')) return byFileId(server, kind, source)
  const file = isAddress ? await fetched(source) : uploadOf(uploads, source)
  // Telegram ignores thumbnails that are not uploads.
  const given = params.thumbnail?.startsWith('attach://') ? uploadOf(uploads, params.thumbnail) : undefined
  const thumbnail = given && (await storeThumbnail(server, given))
  return storeMedia(server, kind, file, { ...params, thumbnail })
}

export const inputMedia = z.object({
  ...captionParams,
  ...mediaParams,
  type: z.enum(['photo', 'video', 'audio', 'document']),
  media: z.string().default(''),
})

type InputMedia = z.output<typeof inputMedia>
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

async function albumItems(server: TelegramServer, uploads: Uploads, items: readonly InputMedia[]) {
  if (items.length === 0) return refuse('there are no messages to send')
  if (items.length > 10) return refuse('too many messages to send as an album')
  if (items.length < 2) return refuse('an album must include 2-10 items')
  const contents: Partial<Message>[] = []
  for (const item of items) contents.push(await inputMediaContent(server, uploads, item))
  const families = new Set(contents.map(albumFamily))
  return families.size === 1 ? contents : refuse("can't use the media of the specified type in the album")
}

const sendMediaParams = z.object({ ...sendParams, ...captionParams, ...mediaParams })

/** The method that sends files of this kind, which its parameter of the same name refers to. */
const sending = (kind: MediaKind): Method<Message> =>
  method(sendMediaParams.catchall(z.unknown()), async (server, params, { uploads }) => {
    const to = destination(server, params)
    const caption = messageCaption(server, params)
    const content = await mediaContent(server, uploads, kind, String(params[kind] ?? ''), params)
    return post(server, to, { ...content, ...caption })
  })

export const media = {
  sendPhoto: sending('photo'),
  sendVideo: sending('video'),
  sendAudio: sending('audio'),
  sendVoice: sending('voice'),
  sendDocument: sending('document'),

  sendMediaGroup: method(
    z.object({ ...sendParams, media: json(z.array(inputMedia)) }),
    async (server, { reply_markup: _, ...params }, { uploads }) => {
      const to = destination(server, params)
      const items = await albumItems(server, uploads, params.media)
      const media_group_id = randomDigits(server.random, 17)
      return items.map((item) => post(server, to, { ...item, media_group_id }))
    },
  ),
} satisfies Methods
