// Where an update came from: its chat and, in forums, its topic.

import type { Context } from 'grammy'
import type { ChatLocation } from '../telegram/send-into.ts'

/** Undefined for updates without a chat. */
export function placeOf(ctx: Context): ChatLocation | undefined {
  if (!ctx.chat) return undefined
  const topic = ctx.msg?.is_topic_message ? ctx.msg.message_thread_id : undefined
  return { chatId: ctx.chat.id, topicId: topic ?? null }
}
