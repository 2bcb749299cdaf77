// Reading members of chats, and files.

import { z } from 'zod'
import { memberOf } from '../members.ts'
import { type Methods, method } from '../method.ts'
import { chatId, int } from '../params.ts'
import { refuse } from '../refusal.ts'
import { chatOf, writableChat } from '../server.ts'

const downloadLimit = 20 * 1024 * 1024

export const chats = {
  getChatMember: method(z.object({ chat_id: chatId, user_id: int }), (server, { chat_id, user_id }) =>
    memberOf(server, writableChat(server, chat_id), user_id),
  ),

  getChatAdministrators: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    const chat = chatOf(server, chat_id)
    if (chat.chat.type === 'private') refuse('there are no administrators in the private chat')
    const all = [...chat.members, server.botId].map((id) => memberOf(server, chat, id))
    return all.flatMap((one) => (one.status === 'creator' || one.status === 'administrator' ? [one] : []))
  }),

  getFile: method(z.object({ file_id: z.string() }), (server, { file_id }) => {
    const file = server.state.files[file_id] ?? refuse('invalid file_id')
    if (file.size > downloadLimit) return refuse('file is too big')
    const { file_unique_id, size, path } = file
    return { file_id, file_unique_id, file_size: size, file_path: path }
  }),
} satisfies Methods
