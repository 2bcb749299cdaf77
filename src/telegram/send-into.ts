// Sends into the chat and topic that an order came from, possibly hours later. A topic that is gone must not lose a result.

import { isTopicGone } from './errors.ts'

/** A chat and, in forums, its topic. */
export interface ChatLocation {
  readonly chatId: number
  readonly topicId: number | null
}

export interface MessageTarget extends ChatLocation {
  /** The message to reply to. */
  readonly statusMessageId?: number | null
}

export interface Into {
  readonly message_thread_id?: number
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: true }
}

/**
 * Calls `send` with the topic and the message to reply to, and once more without both when the topic is gone or closed: the
 * reply would be sent into that topic as well.
 */
export async function sendInto<T>(target: MessageTarget, send: (into: Into) => Promise<T>): Promise<T> {
  const reply = replyTo(target)
  if (target.topicId === null) return send(reply)
  try {
    return await send({ ...reply, message_thread_id: target.topicId })
  } catch (error) {
    if (isTopicGone(error)) return send({})
    throw error
  }
}

/** The reply parameters. If the message was deleted, the new message is sent without a reply. */
function replyTo({ statusMessageId = null }: Pick<MessageTarget, 'statusMessageId'>): Into {
  if (statusMessageId === null) return {}
  return { reply_parameters: { message_id: statusMessageId, allow_sending_without_reply: true } }
}
