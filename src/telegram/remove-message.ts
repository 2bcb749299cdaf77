// Removes messages of the bot from a chat.

import type { Api } from 'grammy'

/**
 * Deletes a message, if it still exists. A message older than two days cannot be deleted, but loses its buttons.
 * @param api in a conversation that of its context
 */
export async function removeMessage(api: Api, chatId: number, messageId: number): Promise<void> {
  await api
    .deleteMessage(chatId, messageId)
    .catch(() => api.editMessageReplyMarkup(chatId, messageId))
    .catch(() => undefined)
}
