// Topics of a forum: creating, renaming, closing, reopening and deleting them.

import { z } from 'zod'
import { managedGroup } from '../members.ts'
import { type Methods, method } from '../method.ts'
import { chatId, int, str } from '../params.ts'
import { addMessage, announce } from '../post.ts'
import { refuse } from '../refusal.ts'
import { botUser, type TelegramServer } from '../server.ts'
import type { ChatState } from '../state.ts'

const colors = [0x6fb9f0, 0xffd67e, 0xcb86db, 0x8eee98, 0xff93b2, 0xfb6f5f]

const topic = { chat_id: chatId, message_thread_id: int.default(0) }

function forum(server: TelegramServer, chatId: number | string): ChatState {
  const chat = managedGroup(server, chatId, 'can_manage_topics')
  return chat.chat.is_forum ? chat : refuse('the chat is not a forum')
}

function forumWith(server: TelegramServer, params: { chat_id: number | string; message_thread_id: number }) {
  const chat = forum(server, params.chat_id)
  return chat.topics.includes(params.message_thread_id) ? chat : refuse('message thread not found')
}

const inTopic = (message_thread_id: number) => ({ message_thread_id, is_topic_message: true as const })

export const topics = {
  getForumTopicIconStickers: method(z.object({}), () => []),

  createForumTopic: method(
    z.object({ chat_id: chatId, name: str.default(''), icon_color: int.default(0x6fb9f0) }),
    (server, { chat_id, name, icon_color }) => {
      const chat = forum(server, chat_id)
      if (name === '' || [...name].length > 128) refuse('TOPIC_TITLE_INVALID')
      if (!colors.includes(icon_color)) refuse('TOPIC_ICON_COLOR_INVALID')
      // The id of a topic is the id of the message that opens it.
      const message_thread_id = chat.nextMessageId
      const created = { name, icon_color }
      const message = addMessage(server, chat, botUser(server), {
        ...inTopic(message_thread_id),
        forum_topic_created: created,
      })
      chat.topics.push(message_thread_id)
      server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
      return { message_thread_id, ...created }
    },
  ),

  editForumTopic: method(z.object({ ...topic, name: str.default('') }), (server, params) => {
    const chat = forumWith(server, params)
    const { name, message_thread_id } = params
    announce(server, chat, { ...inTopic(message_thread_id), forum_topic_edited: { name } })
    return true as const
  }),

  closeForumTopic: method(z.object(topic), (server, params) => {
    const chat = forumWith(server, params)
    announce(server, chat, { ...inTopic(params.message_thread_id), forum_topic_closed: {} })
    return true as const
  }),

  reopenForumTopic: method(z.object(topic), (server, params) => {
    const chat = forumWith(server, params)
    announce(server, chat, { ...inTopic(params.message_thread_id), forum_topic_reopened: {} })
    return true as const
  }),

  deleteForumTopic: method(z.object(topic), (server, params) => {
    const chat = forumWith(server, params)
    const isGone = (one: { message_thread_id?: number }) => one.message_thread_id === params.message_thread_id
    const message_ids = chat.messages.filter(isGone).map((one) => one.message_id)
    chat.messages = chat.messages.filter((one) => !isGone(one))
    chat.topics = chat.topics.filter((one) => one !== params.message_thread_id)
    server.events.emit({ type: 'deleted', chat_id: chat.chat.id, data: { message_ids } })
    return true as const
  }),
} satisfies Methods
