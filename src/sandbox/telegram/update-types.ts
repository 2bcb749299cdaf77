// Telegram's update types. The record type makes the compiler require every one of them.

import type { Update } from 'grammy/types'

type UpdateType = Exclude<keyof Update, 'update_id'>

const known: Readonly<Record<UpdateType, true>> = {
  message: true,
  edited_message: true,
  channel_post: true,
  edited_channel_post: true,
  business_connection: true,
  business_message: true,
  edited_business_message: true,
  deleted_business_messages: true,
  guest_message: true,
  stopped_message_generation: true,
  message_reaction: true,
  message_reaction_count: true,
  inline_query: true,
  chosen_inline_result: true,
  callback_query: true,
  shipping_query: true,
  pre_checkout_query: true,
  purchased_paid_media: true,
  poll: true,
  poll_answer: true,
  my_chat_member: true,
  chat_member: true,
  chat_join_request: true,
  chat_boost: true,
  removed_chat_boost: true,
  managed_bot: true,
  subscription: true,
}

export const isUpdateType = (name: string): name is UpdateType => Object.hasOwn(known, name)
