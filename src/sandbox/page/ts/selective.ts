// Whom a reply keyboard or a forced reply is for: everybody or, in a group where it is selective, the people whom its message mentions and
// the author of the message that it replies to.

import type { Message, User } from './api.ts'

export function isFor(reader: User, message: Message): boolean {
  const { chat, reply_markup: markup, reply_to_message: replied } = message
  const isSelective = markup && 'selective' in markup && markup.selective === true
  if (!isSelective || chat.type === 'private') return true
  return replied?.from?.id === reader.id || mentions(message, reader)
}

function mentions({ text, caption, entities, caption_entities }: Message, { id, username }: User): boolean {
  const words = text ?? caption ?? ''
  const name = username && `@${username}`.toLowerCase()
  return (entities ?? caption_entities ?? []).some((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === id
    const { type, offset, length } = entity
    return type === 'mention' && words.slice(offset, offset + length).toLowerCase() === name
  })
}
