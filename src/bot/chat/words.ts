// What a message asks: its words, what it quotes, the text of a file in it, and its pictures.

import type { Message } from 'grammy/types'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Attachment } from '../../catalog/attachment.ts'
import { attachmentOf } from '../attachment.ts'
import type { BotDeps } from '../context.ts'

const maxFileBytes = 10 * 1024 * 1024
/** Code points of one file; the rest is left out, and said so. */
const maxFileText = 200_000

export async function wordsOf(
  deps: BotDeps,
  message: Message,
  words: string,
  botId: number,
): Promise<{ readonly text: string; readonly files: readonly Attachment[] }> {
  const file = await fileText(deps, message)
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

async function fileText({ files }: BotDeps, { document }: Message): Promise<string | undefined> {
  if (
    !document ||
    (document.file_size ?? 0) > maxFileBytes ||
    /^(image|video|audio)\//.test(document.mime_type ?? '')
  )
    return undefined
  const read = await files.read(document.file_id, maxFileBytes)
  const text = read.ok ? await textIn(read.bytes, document.mime_type ?? '') : undefined
  if (text === undefined) return undefined
  const points = [...text]
  const shown = points.length > maxFileText ? `${points.slice(0, maxFileText).join('')}\n…` : text
  return `${document.file_name ?? 'file'}:\n\`\`\`\n${shown}\n\`\`\``
}

/** Undefined for what is neither text nor a PDF with text. */
async function textIn(bytes: Buffer, mime: string): Promise<string | undefined> {
  try {
    if (mime === 'application/pdf') {
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
      return text.trim() || undefined
    }
    return bytes.includes(0) ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
