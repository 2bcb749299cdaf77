// The settings of a group that a bot with rights can change: title, description, photo, permissions of the members.

import { z } from 'zod'
import { mediaContent } from '../media-source.ts'
import { allPermissions, granted, managedGroup } from '../members.ts'
import { type Methods, method } from '../method.ts'
import { chatId, json, str } from '../params.ts'
import { announce } from '../post.ts'
import { refuse } from '../refusal.ts'

export const chatSettings = {
  setChatTitle: method(
    z.object({ chat_id: chatId, title: str.default('') }),
    (server, { chat_id, title }) => {
      const state = managedGroup(server, chat_id, 'can_change_info')
      const { chat } = state
      if (chat.type === 'private') return refuse("can't change private chat title")
      if (title === '' || [...title].length > 128) refuse('title must be non-empty')
      if (title === chat.title) refuse('CHAT_NOT_MODIFIED')
      state.chat = { ...chat, title }
      announce(server, state, { new_chat_title: title })
      return true as const
    },
  ),

  setChatDescription: method(
    z.object({ chat_id: chatId, description: str.default('') }),
    (server, { chat_id, description }) => {
      const { info } = managedGroup(server, chat_id, 'can_change_info')
      if ([...description].length > 255) refuse('chat description is too long')
      if (description === (info.description ?? '')) refuse('chat description is not modified')
      if (description === '') delete info.description
      else info.description = description
      return true as const
    },
  ),

  setChatPhoto: method(
    z.object({ chat_id: chatId, photo: str.default('') }),
    async (server, { chat_id, photo }, { uploads }) => {
      const chat = managedGroup(server, chat_id, 'can_change_info')
      if (!photo.startsWith('attach://')) refuse('photo must be uploaded as an InputFile')
      const content = await mediaContent(server, uploads, 'photo', photo, {})
      const [small, big] = [content.photo?.at(0), content.photo?.at(-1)]
      if (!content.photo || !small || !big) return refuse('IMAGE_PROCESS_FAILED')
      chat.info.photo = {
        small_file_id: small.file_id,
        small_file_unique_id: small.file_unique_id,
        big_file_id: big.file_id,
        big_file_unique_id: big.file_unique_id,
      }
      announce(server, chat, { new_chat_photo: content.photo })
      return true as const
    },
  ),

  deleteChatPhoto: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    const chat = managedGroup(server, chat_id, 'can_change_info')
    if (!chat.info.photo) refuse('CHAT_NOT_MODIFIED')
    delete chat.info.photo
    announce(server, chat, { delete_chat_photo: true })
    return true as const
  }),

  setChatPermissions: method(
    z.object({ chat_id: chatId, permissions: json(z.looseObject({})) }),
    (server, { chat_id, permissions }) => {
      managedGroup(server, chat_id, 'can_restrict_members').info.permissions = granted(
        allPermissions,
        permissions,
      )
      return true as const
    },
  ),
} satisfies Methods
