// Sends into the chat and topic that an order came from, possibly hours later. A topic that is gone must not lose a result.

import { isTopicGone } from './errors.ts'
import { type Reply, replyTo } from './reply-to.ts'

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
