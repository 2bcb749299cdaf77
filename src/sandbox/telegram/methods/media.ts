// Sending a photo, video, audio, voice message or document, and sending albums.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { randomDigits } from '../../random.ts'
import { albumItems, inputMedia } from '../input-media.ts'
import type { MediaKind } from '../media-kinds.ts'
import { mediaContent, mediaParams } from '../media-source.ts'
import { type Method, type Methods, method } from '../method.ts'
import { captionParams, json } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { messageCaption } from '../text.ts'

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
