// What a message asks: its words, what it quotes, the text of a file in it, and its pictures.

import type { Message } from 'grammy/types'
import type { Attachment } from '../../catalog/attachment.ts'
import { attachmentOf } from '../attachment.ts'
import type { BotDeps } from '../context.ts'
import { mayHaveText, readDocument } from './file-text.ts'

export async function wordsOf(
  deps: BotDeps,
  message: Message,
  words: string,
  botId: number,
): Promise<{ readonly text: string; readonly files: readonly Attachment[] }> {
  const { document } = message
  const file = document && mayHaveText(document) ? await readDocument(deps, document) : undefined
  const text = [quoteOf(message, botId), words.trim(), file].filter(Boolean).join('\n\n')
  const picture =
    attachmentOf(message) ?? (message.reply_to_message && attachmentOf(message.reply_to_message))
  return { text, files: picture?.medium === 'image' ? [picture] : [] }
}

/** What the bot itself said is in the conversation anyway, unless a part of it is quoted. */
function quoteOf(message: Message, botId: number): string | undefined {
  const { quote, reply_to_message: before } = message
  const quoted = quote?.text ?? (before?.from?.id === botId ? undefined : (before?.text ?? before?.caption))
  return quoted?.replaceAll(/^/gm, '> ')
}
