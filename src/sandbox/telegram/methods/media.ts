// Sending one photo, video, sound or document, and sending albums.

import { z } from 'zod'
import { defined } from '../defined.ts'
import { randomDigits } from '../ids.ts'
import { albumItems, inputMedia } from '../input-media.ts'
import type { MediaKind } from '../media-kinds.ts'
import { givenParams, mediaContent } from '../media-source.ts'
import { type Call, type Methods, method } from '../method.ts'
import { captionParams, json, str } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { messageCaption } from '../text.ts'
import type { World } from '../world.ts'

const mediaParams = z.object({ ...sendParams, ...captionParams, ...givenParams })

async function sendMedia(
  world: World,
  kind: MediaKind,
  source: string,
  params: z.output<typeof mediaParams>,
  { uploads }: Call,
) {
  const to = destination(world, params)
  const caption = messageCaption(world, params)
  const content = await mediaContent(world, uploads, kind, source, params)
  const spoiler = defined({ has_media_spoiler: params.has_spoiler ? (true as const) : undefined })
  return post(world, to, { ...content, ...caption, ...spoiler })
}

const source = str.default('')

export const media = {
  sendPhoto: method(mediaParams.extend({ photo: source }), (world, params, call) =>
    sendMedia(world, 'photo', params.photo, params, call),
  ),

  sendVideo: method(mediaParams.extend({ video: source }), (world, params, call) =>
    sendMedia(world, 'video', params.video, params, call),
  ),

  sendAnimation: method(mediaParams.extend({ animation: source }), (world, params, call) =>
    sendMedia(world, 'animation', params.animation, params, call),
  ),

  sendAudio: method(mediaParams.extend({ audio: source }), (world, params, call) =>
    sendMedia(world, 'audio', params.audio, params, call),
  ),

  sendVoice: method(mediaParams.extend({ voice: source }), (world, params, call) =>
    sendMedia(world, 'voice', params.voice, params, call),
  ),

  sendDocument: method(mediaParams.extend({ document: source }), (world, params, call) =>
    sendMedia(world, 'document', params.document, params, call),
  ),

  sendMediaGroup: method(
    z.object({ ...sendParams, media: json(z.array(inputMedia)) }),
    async (world, { reply_markup: _, ...params }, { uploads }) => {
      const to = destination(world, params)
      const items = await albumItems(world, uploads, params.media)
      const media_group_id = randomDigits(world.random, 17)
      return items.map((item) => post(world, to, { ...item, media_group_id }))
    },
  ),
} satisfies Methods
