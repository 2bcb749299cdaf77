// The topic of a forum that a message is in.

import type { Message } from 'grammy/types'

/**
 * Undefined outside of topics. In any supergroup a reply also has a thread id, but it is the id of its chain of replies, not of a topic.
 */
export const topicOf = (
  message: Pick<Message, 'is_topic_message' | 'message_thread_id'> | undefined,
): number | undefined => (message?.is_topic_message ? message.message_thread_id : undefined)
