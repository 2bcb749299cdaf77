// Streaming a message while it is being written: a draft in a private chat, until the message itself is sent.

import { z } from 'zod'
import { defined } from '../defined.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, int, textParams } from '../params.ts'
import { destination } from '../post.ts'
import { refuse } from '../refusal.ts'
import { checkLength, formatted } from '../text.ts'

export const drafts = {
  sendMessageDraft: method(
    z.object({
      ...textParams,
      chat_id: chatId,
      message_thread_id: int.optional(),
      draft_id: int.default(0),
      can_stop: bool.optional(),
      keep_on_stop: bool.optional(),
    }),
    (server, { draft_id, can_stop, keep_on_stop, chat_id, message_thread_id, ...source }) => {
      const { text, entities } = formatted(server, source)
      const { chat, fields } = destination(server, { chat_id, message_thread_id })
      if (chat.chat.type !== 'private') refuse('TEXTDRAFT_PEER_INVALID')
      if (draft_id === 0) refuse('draft_id must be non-zero')
      checkLength(text)
      const draft = {
        draft_id,
        text,
        entities,
        ...defined({
          message_thread_id: fields.message_thread_id,
          can_stop: can_stop ? (true as const) : undefined,
        }),
      }
      server.drafts.show(chat.chat.id, draft, keep_on_stop ? 'keep' : 'remove')
      return true as const
    },
  ),
} satisfies Methods
