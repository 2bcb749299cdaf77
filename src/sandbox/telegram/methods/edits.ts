// Editing the bot's own messages. An edit also replaces the inline keyboard; without a new one, the keyboard is removed.

import { isDeepStrictEqual } from 'node:util'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { albumFamily, inputMedia, inputMediaContent } from '../input-media.ts'
import { checkInline, inlineMarkup, inlineOf } from '../markup.ts'
import { type Methods, method } from '../method.ts'
import { captionParams, chatId, json, messageId, textParams } from '../params.ts'
import { refuse } from '../refusal.ts'
import { findMessage, nowSeconds, type TelegramServer, writableChat } from '../server.ts'
import type { ChatMessage, ChatState } from '../state.ts'
import { messageCaption, messageText } from '../text.ts'

const editParams = {
  chat_id: chatId,
  message_id: messageId,
  reply_markup: inlineMarkup.optional(),
}
type EditParams = z.output<z.ZodObject<typeof editParams>>

const mediaKeys = ['photo', 'video', 'animation', 'audio', 'document'] as const
const captionKeys = ['caption', 'caption_entities', 'show_caption_above_media', 'has_media_spoiler'] as const
const textKeys = ['text', 'entities'] as const
const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current ' +
  'content and reply markup of the message'

const mediaNotEditable = "message media can't be edited"

const hasMedia = (message: ChatMessage) =>
  message.voice !== undefined || mediaKeys.some((key) => message[key])

function editable(
  server: TelegramServer,
  params: EditParams,
  refusal = "message can't be edited",
): { chat: ChatState; message: ChatMessage } {
  const chat = writableChat(server, params.chat_id)
  const message = findMessage(chat, params.message_id) ?? refuse('message to edit not found')
  // A message with a reply keyboard cannot be edited, like messages of others.
  const isClosed = message.from.id !== server.botId || chat.keyboards[message.message_id] !== undefined
  return isClosed ? refuse(refusal) : { chat, message }
}

type Removable =
  | (typeof mediaKeys | typeof captionKeys | typeof textKeys)[number]
  | 'reply_markup'
  | 'edit_date'

function without(message: ChatMessage, keys: readonly Removable[]): ChatMessage {
  const copy = { ...message }
  for (const key of keys) delete copy[key]
  return copy
}

function rewrite(
  server: TelegramServer,
  params: EditParams,
  { chat, message }: { chat: ChatState; message: ChatMessage },
  dropped: readonly Removable[],
  content: Partial<Message>,
): ChatMessage {
  const reply_markup = inlineOf(params.reply_markup)
  checkInline(reply_markup, message.invoice !== undefined)
  const kept = without(message, [...dropped, 'reply_markup', 'edit_date'])
  const { from } = message
  const edited: ChatMessage = { ...kept, ...content, ...defined({ reply_markup }), from, chat: chat.chat }
  if (isDeepStrictEqual(edited, without(message, ['edit_date']))) refuse(notModified)
  const dated = { ...edited, edit_date: nowSeconds(server) }
  chat.messages = chat.messages.map((one) => (one === message ? dated : one))
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: dated })
  return dated
}

/** The new media must be of a kind that the album can hold. */
function checkAlbum(message: ChatMessage, content: Partial<Message>): void {
  if (content.animation) refuse("message content type can't be used in an album")
  if (albumFamily(content) !== albumFamily(message)) refuse("can't change media type in the album")
}

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
    return rewrite(
      server,
      params,
      target,
      ['caption', 'caption_entities', 'show_caption_above_media'],
      content,
    )
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
      if (message.media_group_id !== undefined) checkAlbum(message, content)
      // The message may have changed while the media was being stored.
      const target = editable(server, params, mediaNotEditable)
      return rewrite(server, params, target, [...mediaKeys, ...captionKeys, ...textKeys], content)
    },
  ),
} satisfies Methods
