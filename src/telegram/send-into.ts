// Sends into chats and topics, possibly hours after the update. A topic that is gone must not lose a result.

import type { Api } from 'grammy'
import type { Message } from 'grammy/types'
import { isTopicGone } from './errors.ts'

/**
 * Undefined outside of topics. In any supergroup a reply also has a thread id, but it is the id of its chain of replies, not of a topic.
 */
export const topicOf = (
  message: Pick<Message, 'is_topic_message' | 'message_thread_id'> | undefined,
): number | undefined => (message?.is_topic_message ? message.message_thread_id : undefined)

interface Reply {
  readonly reply_parameters: { readonly message_id: number; readonly allow_sending_without_reply: true }
}

/** Makes a new message a reply. If the message that it replies to is deleted, it is sent without a reply instead of being refused. */
export const replyTo = (messageId: number): Reply => ({
  reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
})

/** A chat and, in forums, its topic. */
export interface ChatLocation {
  readonly chatId: number
  readonly topicId: number | null
}

export interface MessageTarget extends ChatLocation {
  /** The message to reply to. */
  readonly statusMessageId?: number | null
}

interface Into {
  readonly message_thread_id?: number
  readonly reply_parameters?: Reply['reply_parameters']
}

/**
 * Calls `send` with the topic and the message to reply to, and once more without both when the topic is gone or closed: the
 * reply would be sent into that topic as well.
 */
export async function sendInto<T>(target: MessageTarget, send: (into: Into) => Promise<T>): Promise<T> {
  const { statusMessageId = null } = target
  const reply = statusMessageId === null ? {} : replyTo(statusMessageId)
  if (target.topicId === null) return send(reply)
  try {
    return await send({ ...reply, message_thread_id: target.topicId })
  } catch (error) {
    if (isTopicGone(error)) return send({})
    throw error
  }
}

// How texts are sent that may contain an address which is not ours: without the preview that Telegram adds to links.

export const withoutPreview = { link_preview_options: { is_disabled: true } } as const

export const htmlWithoutPreview = { parse_mode: 'HTML', ...withoutPreview } as const

/**
 * Deletes a message, if it still exists. A message older than two days cannot be deleted, but loses its buttons.
 * @param api in a conversation that of its context
 */
export async function removeMessage(api: Api, chatId: number, messageId: number): Promise<void> {
  await api
    .deleteMessage(chatId, messageId)
    .catch(() => api.editMessageReplyMarkup(chatId, messageId))
    .catch(() => undefined)
}
