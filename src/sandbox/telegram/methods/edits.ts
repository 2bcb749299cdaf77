// Editing the bot's own messages: text, caption, media, keyboard.

import { z } from 'zod'
import { inputMedia, inputMediaContent } from '../input-media.ts'
import { inlineMarkup } from '../markup.ts'
import { type Methods, method } from '../method.ts'
import { captionParams, chatId, json, messageId, textParams } from '../params.ts'
import { refuse } from '../refusal.ts'
import { editable, rewrite } from '../rewrite.ts'
import type { ChatMessage } from '../state.ts'
import { messageCaption, messageText } from '../text.ts'

const editParams = {
  chat_id: chatId,
  message_id: messageId,
  reply_markup: inlineMarkup.optional(),
}

const mediaKeys = ['photo', 'video', 'animation', 'audio', 'document'] as const
const captionKeys = ['caption', 'caption_entities'] as const
const textKeys = ['text', 'entities', 'link_preview_options'] as const
const mediaNotEditable = "message media can't be edited"

const hasMedia = (message: ChatMessage) =>
  message.voice !== undefined || mediaKeys.some((key) => message[key])

export const edits = {
  editMessageText: method(z.object({ ...editParams, ...textParams }), (server, params) => {
    const content = messageText(server, params)
    const target = editable(server, params)
    if (target.message.text === undefined) refuse('there is no text in the message to edit')
    return rewrite(server, params, target, textKeys, content)
  }),

  editMessageCaption: method(z.object({ ...editParams, ...captionParams }), (server, params) => {
    const content = messageCaption(server, params)
    const target = editable(server, params)
    if (!hasMedia(target.message)) refuse('there is no caption in the message to edit')
    return rewrite(server, params, target, captionKeys, content)
  }),

  editMessageReplyMarkup: method(z.object(editParams), (server, params) =>
    rewrite(server, params, editable(server, params), [], {}),
  ),

  editMessageMedia: method(
    z.object({ ...editParams, media: json(inputMedia) }),
    async (server, params, { uploads }) => {
      const { message } = editable(server, params, mediaNotEditable)
      if (message.voice || message.invoice) refuse(mediaNotEditable)
      const content = await inputMediaContent(server, uploads, params.media)
      // The message may have changed while the media was being stored.
      const target = editable(server, params, mediaNotEditable)
      return rewrite(server, params, target, [...mediaKeys, ...captionKeys, ...textKeys], content)
    },
  ),
} satisfies Methods
