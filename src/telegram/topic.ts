// The topic of a forum that a message is in.

import type { Message } from 'grammy/types'

/** Undefined outside of topics. A reply in any supergroup has the id of a thread too, which is that of its chain of replies and no topic. */
export const topicOf = (
  message: Pick<Message, 'is_topic_message' | 'message_thread_id'> | undefined,
): number | undefined => (message?.is_topic_message ? message.message_thread_id : undefined)
