// Sending texts, drafts of texts and copies of messages; editing and deleting messages of the bot; chat actions.

import { z } from 'zod'
import {
  bool,
  captionParams,
  chatId,
  int,
  json,
  type Methods,
  messageId,
  method,
  textParams,
} from '../method.ts'
import {
  contentOf,
  destination,
  editable,
  inlineMarkup,
  post,
  removeMessages,
  rewrite,
  sendParams,
} from '../post.ts'
import { refuse } from '../refusal.ts'
import { chatOf, findMessage, nowSeconds, type TelegramServer, writableChat } from '../server.ts'
import type { ChatMessage } from '../state.ts'
import { checkLength, formatted, messageCaption, messageText } from '../text.ts'
import { inputMedia, inputMediaContent } from './media.ts'

const twoDays = 48 * 3600
const messageIds = json(
  z
    .array(int)
    .min(1, 'message identifiers are not specified')
    .max(100, 'too many message identifiers specified'),
)

/** Any of the emoji of Telegram; the app uses one. */
const emoji = z.object({ type: z.literal('emoji'), emoji: z.literal('👍') })

const isAction = (action: string): boolean =>
  /^(typing|(record|upload)_(video|voice|audio|video_note)|upload_(photo|document)|choose_sticker)$/.test(
    action,
  )

function remove(server: TelegramServer, chatId: number | string, ids: readonly number[]): number {
  const chat = writableChat(server, chatId)
  const found = chat.messages.filter((message) => ids.includes(message.message_id))
  const isOld = found.some(({ date }) => nowSeconds(server) - date > twoDays)
  if (isOld) refuse("message can't be deleted for everyone")
  removeMessages(server, chat, found)
  return found.length
}

const draftParams = z.object({
  ...textParams,
  chat_id: chatId,
  message_thread_id: int.optional(),
  draft_id: int.default(0),
  can_stop: bool.optional(),
})

/** Shows a text that the bot is still writing, in a private chat, until the message itself is sent. */
function showDraft(server: TelegramServer, params: z.output<typeof draftParams>): true {
  const { draft_id, can_stop, chat_id, message_thread_id, ...source } = params
  const { text, entities } = formatted(server, source)
  const { chat } = destination(server, { chat_id, message_thread_id })
  if (chat.chat.type !== 'private') refuse('TEXTDRAFT_PEER_INVALID')
  if (draft_id === 0) refuse('draft_id must be non-zero')
  checkLength(text)
  server.drafts.show(chat.chat.id, { draft_id, text, entities, ...(can_stop && { can_stop }) })
  return true
}

export const messages = {
  sendMessage: method(z.object({ ...sendParams, ...textParams }), (server, params) =>
    post(server, destination(server, params), messageText(server, params)),
  ),

  sendMessageDraft: method(draftParams, showDraft),

  copyMessage: method(
    z.object({ ...sendParams, from_chat_id: chatId, message_id: messageId, caption: z.string().optional() }),
    (server, { caption, ...params }) => {
      const source = findMessage(chatOf(server, params.from_chat_id), params.message_id)
      const to = destination(server, params)
      const content = contentOf(source ?? refuse('message to copy not found'))
      const {
        caption: own = '',
        caption_entities,
        ...rest
      } = content ?? refuse("the message can't be copied")
      const words = caption === undefined ? { caption: own, caption_entities } : { caption }
      return { message_id: post(server, to, { ...rest, ...messageCaption(server, words) }).message_id }
    },
  ),

  deleteMessage: method(z.object({ chat_id: chatId, message_id: messageId }), (server, params) => {
    if (params.message_id === 0) refuse('message identifier is not specified')
    const isThere = remove(server, params.chat_id, [params.message_id]) > 0
    return isThere ? (true as const) : refuse('message to delete not found')
  }),

  deleteMessages: method(z.object({ chat_id: chatId, message_ids: messageIds }), (server, params) => {
    remove(server, params.chat_id, params.message_ids)
    return true as const
  }),

  setMessageReaction: method(
    z.object({ chat_id: chatId, message_id: messageId, reaction: json(z.array(emoji)).default([]) }),
    (server, { chat_id, message_id, reaction }) => {
      const chat = writableChat(server, chat_id)
      if (!findMessage(chat, message_id)) refuse('message to react not found')
      chat.reactions[message_id] = reaction
      server.events.emit({ type: 'reaction', chat_id: chat.chat.id, data: { message_id, reaction } })
      return true as const
    },
  ),

  sendChatAction: method(
    z.object({ chat_id: chatId, action: z.string(), message_thread_id: int.optional() }),
    (server, { chat_id, action, message_thread_id }) => {
      const { chat } = writableChat(server, chat_id)
      if (!isAction(action)) refuse('wrong parameter action in request')
      const data = message_thread_id ? { action, message_thread_id } : { action }
      server.events.emit({ type: 'action', chat_id: chat.id, data })
      return true as const
    },
  ),
} satisfies Methods

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
