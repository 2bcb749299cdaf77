// Copying messages: the content goes to another chat, without the keyboard and without a reference to the original.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { captionKeys, contentOf, postAll, sourcesOf } from '../content.ts'
import { type Methods, method } from '../method.ts'
import { bool, captionParams, chatId, int, json, messageId, str } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { chatOf, findMessage } from '../server.ts'
import { messageCaption } from '../text.ts'

function withCaption(content: Partial<Message>, caption: Partial<Message>): Partial<Message> {
  // A text has no caption, so a new caption is ignored.
  if (content.text !== undefined) return content
  const bare = { ...content }
  for (const key of captionKeys) delete bare[key]
  return { ...bare, ...caption }
}

const { reply_markup: _, ...plainSendParams } = sendParams

export const copies = {
  copyMessage: method(
    z.object({
      ...sendParams,
      ...captionParams,
      caption: str.optional(),
      from_chat_id: chatId,
      message_id: messageId,
    }),
    (server, params) => {
      const { caption } = params
      if (params.from_chat_id === '') refuse('parameter "from_chat_id" is required')
      const changed = caption === undefined ? undefined : messageCaption(server, { ...params, caption })
      const source = findMessage(chatOf(server, params.from_chat_id), params.message_id)
      const to = destination(server, params)
      const content =
        contentOf(source ?? refuse('message to copy not found')) ?? refuse("the message can't be copied")
      return { message_id: post(server, to, changed ? withCaption(content, changed) : content).message_id }
    },
  ),

  copyMessages: method(
    z.object({
      ...plainSendParams,
      from_chat_id: chatId,
      message_ids: json(z.array(int)),
      remove_caption: bool.optional(),
    }),
    (server, params) => {
      if (params.from_chat_id === '') refuse('parameter "from_chat_id" is required')
      const sources = sourcesOf(server, params.from_chat_id, params.message_ids)
      const to = destination(server, params)
      const items = sources.flatMap((source) => {
        const content = contentOf(source)
        if (!content) return []
        return [{ source, content: params.remove_caption ? withCaption(content, {}) : content }]
      })
      return postAll(server, to, items).map(({ message_id }) => ({ message_id }))
    },
  ),
} satisfies Methods
