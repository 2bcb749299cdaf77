// Sending into the chat and topic an order came from, hours later too: a topic that is gone is no reason to lose a result.

import { isTopicGone } from './errors.ts'

interface Place {
  readonly chatId: number
  readonly topicId: number | null
  readonly statusMessageId?: number | null
}

interface Into {
  readonly message_thread_id?: number
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: true }
}

/**
 * Calls `send` with the topic and the status message to reply to; and once more without them when the topic is gone or closed:
 * a reply would go to it too.
 */
export async function sendInto<T>(place: Place, send: (into: Into) => Promise<T>): Promise<T> {
  const reply = replyTo(place)
  if (place.topicId === null) return send(reply)
  try {
    return await send({ ...reply, message_thread_id: place.topicId })
  } catch (error) {
    if (isTopicGone(error)) return send({})
    throw error
  }
}

/** The status message, unless it was deleted. */
export function replyTo({ statusMessageId = null }: Pick<Place, 'statusMessageId'>): Into {
  if (statusMessageId === null) return {}
  return { reply_parameters: { message_id: statusMessageId, allow_sending_without_reply: true } }
}
