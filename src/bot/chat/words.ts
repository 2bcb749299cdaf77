// What a message asks: its words, what it quotes, the text of a file in it, and its pictures.

import type { Message } from 'grammy/types'
import type { Attachment } from '../../catalog/attachment.ts'
import { attachmentOf } from '../cards/attachment.ts'
import type { BotDeps } from '../context.ts'
import { mayHaveText, readDocument } from './file-text.ts'

interface Words {
  readonly text: string
  readonly files: readonly Attachment[]
}

/** Undefined when there is nothing that can be read, or a file that cannot: a question about it would be paid for in vain. */
export async function wordsOf(
  deps: BotDeps,
  message: Message,
  words: string,
  botId: number,
): Promise<Words | undefined> {
  const { document } = message
  const isText = document !== undefined && mayHaveText(document)
  const file = isText ? await readDocument(deps, document) : undefined
  if (isText && file === undefined) return undefined
  const text = [quoteOf(message, botId), words.trim(), file].filter(Boolean).join('\n\n')
  const picture =
    attachmentOf(message) ?? (message.reply_to_message && attachmentOf(message.reply_to_message))
  const files = picture?.medium === 'image' ? [picture] : []
  return text === '' && files.length === 0 ? undefined : { text, files }
}

/** What the bot itself said is in the conversation anyway, unless a part of it is quoted. */
function quoteOf(message: Message, botId: number): string | undefined {
  const { quote, reply_to_message: before } = message
  const quoted = quote?.text ?? (before?.from?.id === botId ? undefined : (before?.text ?? before?.caption))
  return quoted?.replaceAll(/^/gm, '> ')
}
