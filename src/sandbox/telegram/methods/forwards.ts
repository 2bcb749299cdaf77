// Forwarding messages: the content goes to another chat and names its first author.

import type { Message, MessageOrigin } from 'grammy/types'
import { z } from 'zod'
import { contentOf, postAll, sourcesOf } from '../content.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, int, json, messageId } from '../params.ts'
import { destination, post } from '../post.ts'
import { refuse } from '../refusal.ts'
import { chatOf, findMessage } from '../server.ts'
import type { ChatMessage } from '../state.ts'

const forwardParams = {
  chat_id: chatId,
  message_thread_id: int.optional(),
  protect_content: bool.optional(),
  from_chat_id: chatId,
}

const originOf = ({ from, date, forward_origin }: ChatMessage): MessageOrigin =>
  forward_origin ?? { type: 'user', sender_user: from, date }

/** @returns undefined for a message that cannot be forwarded: a protected one or a service message */
function forwarded(source: ChatMessage): Partial<Message> | undefined {
  const content = source.has_protected_content ? undefined : contentOf(source)
  return content && { ...content, forward_origin: originOf(source) }
}

export const forwards = {
  forwardMessage: method(z.object({ ...forwardParams, message_id: messageId }), (server, params) => {
    if (params.from_chat_id === '') refuse('parameter "from_chat_id" is required')
    const to = destination(server, params)
    const source = findMessage(chatOf(server, params.from_chat_id), params.message_id)
    const content = forwarded(source ?? refuse('message to forward not found'))
    return post(server, to, content ?? refuse("the message can't be forwarded"))
  }),

  forwardMessages: method(
    z.object({ ...forwardParams, message_ids: json(z.array(int)) }),
    (server, params) => {
      if (params.from_chat_id === '') refuse('parameter "from_chat_id" is required')
      const sources = sourcesOf(server, params.from_chat_id, params.message_ids)
      const to = destination(server, params)
      const items = sources.flatMap((source) => {
        const content = forwarded(source)
        return content ? [{ source, content }] : []
      })
      return postAll(server, to, items).map(({ message_id }) => ({ message_id }))
    },
  ),
} satisfies Methods
