// The question in a message: its words, what it replies to, the texts of their files, and their pictures.

import type { Message } from 'grammy/types'
import type { Attachment } from '../../catalog/attachment.ts'
import { visible } from '../../catalog/fields.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { attachmentIn } from '../cards/attachment.ts'
import type { BotDeps } from '../context.ts'
import { factsOf, type Referred, referredTo } from '../notes.ts'
import { mayHaveText, readDocument } from './file-text.ts'
import { markedWords } from './marked.ts'

interface Words {
  readonly ok: true
  readonly text: string
  readonly files: readonly Attachment[]
}

/** What the question is about and cannot be read: an answer without it would cost money and be of no use. */
type Missing = 'video' | 'sound' | 'file' | 'other'
interface Unread {
  readonly ok: false
  readonly missing: Missing
}

/** Says what cannot be read, that nothing was charged, and what to do. */
export const unreadText = (say: Say, what: Missing): string =>
  say.html(what === 'file' ? 'chat-unreadable' : `chat-unread-${what}`)

/** @param words of the message, without its command or the mention of the bot */
export async function wordsOf(
  deps: BotDeps,
  message: Message,
  words: string,
  botId: number,
): Promise<Words | Unread> {
  const own = await contentOf(deps, message)
  const other = await referredContent(deps, message)
  if (!own.ok) return own
  if (!other.ok) return other
  const texts = [quoteOf(message, botId), visible(words), own.text, other.text]
  const text = texts.filter(Boolean).join('\n\n')
  const files = [...own.files, ...other.files]
  return text === '' && files.length === 0 ? { ok: false, missing: 'file' } : { ok: true, text, files }
}

const noContent: Words = { ok: true, text: '', files: [] }

/** A reply that quotes words is about them, and can be answered without a file that is not read. */
async function referredContent(deps: BotDeps, message: Message): Promise<Words | Unread> {
  const { quote } = message
  const before = referredTo(message)
  if (!before) return noContent
  const content = await contentOf(deps, quote ? { ...before, text: quote.text } : before)
  return content.ok || !quote?.is_manual ? content : noContent
}

/** The text and the picture in the file of a message. */
async function contentOf(deps: BotDeps, message: Referred): Promise<Words | Unread> {
  const { document } = message
  const file = await attachmentIn(deps.files, message)
  if (file?.medium === 'image') return { ...noContent, files: [file] }
  if (file) return { ok: false, missing: file.medium === 'video' ? 'video' : 'sound' }
  if (document) {
    const read = mayHaveText(document) ? await readDocument(deps, document) : undefined
    return read ? { ...noContent, text: read.quoted } : { ok: false, missing: 'file' }
  }
  const isSaid = (wordsIn(message) !== '' && !message.paid_media) || factsOf(message) !== undefined
  return isSaid ? noContent : { ok: false, missing: 'other' }
}

/** The text that the message quotes. A message of the bot is in the conversation already, so only a quoted part of it is repeated. */
function quoteOf(message: Message, botId: number): string | undefined {
  const { quote } = message
  const before = referredTo(message)
  const said = before && before.from?.id !== botId ? markedWords(before) : ''
  const whole = said || (before && factsOf(before))
  return (quote?.text ?? whole)?.replaceAll(/^/gm, '> ')
}
