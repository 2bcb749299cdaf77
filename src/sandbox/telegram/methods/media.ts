// Sending a photo, video, audio, voice message, sticker or document, and sending albums.

import { z } from 'zod'
import { randomDigits } from '../../random.ts'
import { defined } from '../defined.ts'
import { albumItems, inputMedia } from '../input-media.ts'
import type { MediaKind } from '../media-kinds.ts'
import { mediaContent, mediaParams } from '../media-source.ts'
import { type Call, type Methods, method } from '../method.ts'
import { captionParams, json, str } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import type { TelegramServer } from '../server.ts'
import { messageCaption } from '../text.ts'

const sendMediaParams = z.object({ ...sendParams, ...captionParams, ...mediaParams })

async function sendMedia(
  server: TelegramServer,
  kind: MediaKind,
  source: string,
  params: z.output<typeof sendMediaParams>,
  { uploads }: Call,
) {
  const to = destination(server, params)
  const caption = messageCaption(server, params)
  const content = await mediaContent(server, uploads, kind, source, params)
  const spoiler = defined({ has_media_spoiler: params.has_spoiler ? (true as const) : undefined })
  return post(server, to, { ...content, ...caption, ...spoiler })
}

const source = str.default('')

export const media = {
  sendPhoto: method(sendMediaParams.extend({ photo: source }), (server, params, call) =>
    sendMedia(server, 'photo', params.photo, params, call),
  ),

  sendVideo: method(sendMediaParams.extend({ video: source }), (server, params, call) =>
    sendMedia(server, 'video', params.video, params, call),
  ),

  sendAnimation: method(sendMediaParams.extend({ animation: source }), (server, params, call) =>
    sendMedia(server, 'animation', params.animation, params, call),
  ),

  sendAudio: method(sendMediaParams.extend({ audio: source }), (server, params, call) =>
    sendMedia(server, 'audio', params.audio, params, call),
  ),

  sendVoice: method(sendMediaParams.extend({ voice: source }), (server, params, call) =>
    sendMedia(server, 'voice', params.voice, params, call),
  ),

  sendDocument: method(sendMediaParams.extend({ document: source }), (server, params, call) =>
    sendMedia(server, 'document', params.document, params, call),
  ),

  sendVideoNote: method(sendMediaParams.extend({ video_note: source }), (server, params, call) =>
    sendMedia(server, 'video_note', params.video_note, { ...params, caption: '' }, call),
  ),

  sendSticker: method(sendMediaParams.extend({ sticker: source }), (server, params, call) =>
    sendMedia(server, 'sticker', params.sticker, { ...params, caption: '' }, call),
  ),

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
