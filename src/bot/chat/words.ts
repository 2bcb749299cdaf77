// The question in a message: its words, what it replies to, the texts of their files, and their pictures and sounds.

import type { Document, Message, MessageEntity } from 'grammy/types'
import { z } from 'zod'
import type { Attachment } from '../../catalog/field.ts'
import { codePoints, visible } from '../../catalog/fields.ts'
import { soundOf } from '../../chat/question-files.ts'
import { decode, filesOfUsers } from '../../media/decoders.ts'
import { plainTextOf } from '../../media/format.ts'
import { cutTo } from '../../runtime/text.ts'
import type { Files } from '../../telegram/files.ts'
import { entitiesIn, wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { shownName } from '../../users/user.ts'
import { attachmentIn } from '../cards/attachment.ts'
import type { BotDeps } from '../context.ts'
import { factsOf, type Referred, referredTo } from '../notes.ts'

interface Words {
  readonly ok: true
  readonly text: string
  readonly files: readonly Attachment[]
}

/** What the question is about and cannot be read: an answer without it would cost money and be of no use. */
type Missing = 'video' | 'file' | 'other'
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
  if (!content.ok) return quote?.is_manual ? noContent : content
  // A sound that is replied to is what the question is about.
  return {
    ...content,
    files: content.files.map((file) => (file.medium === 'audio' ? soundOf(file, false) : file)),
  }
}

/** Whether the message itself says something, unlike a sound file that somebody has. */
export const isVoice = ({ voice, video_note }: Referred): boolean => (voice ?? video_note) !== undefined

/** The text, the picture or the sound in the file of a message. */
async function contentOf(deps: BotDeps, message: Referred): Promise<Words | Unread> {
  const { document } = message
  const file = await attachmentIn(deps.files, message)
  if (file?.medium === 'image') return { ...noContent, files: [file] }
  if (file && (file.medium === 'audio' || message.video_note))
    return { ...noContent, files: [soundOf(file, isVoice(message))] }
  if (file) return { ok: false, missing: 'video' }
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

// Reads the text of a document, within limits of bytes, memory, pages and time.

const maxFileBytes = 10 * 1024 * 1024
/** Code points of a file's name, which is paid for as a part of the question. */
const longestName = 100
/** Code points of a file's text; the rest is left out. */
const maxFileText = 200_000
const pdfLimits = { timeoutMs: 20_000, gate: filesOfUsers }
/** Processor time for one PDF. Three hundred pages take a second or two; a few kilobytes of nested forms would take for ever. */
const pdfCpuMs = 8000

/** The facts of a document that are needed to read it. */
export type Readable = Pick<Document, 'file_id'> &
  Partial<Pick<Document, 'file_name' | 'mime_type' | 'file_size'>>

/** Whether the size and the type of a document allow that it contains text; its bytes decide. */
export const mayHaveText = ({ file_size: size = 0, mime_type: mime = '' }: Readable): boolean =>
  size <= maxFileBytes && !/^(image|video|audio)\//.test(mime)

interface DocumentText {
  /** The name and the text of the file, as they are sent to a text model. */
  readonly quoted: string
  /** Code points of the text alone. */
  readonly length: number
}

/** @returns undefined unless the document is a text or a PDF with text */
export async function readDocument(
  { files }: { readonly files: Files },
  { file_id: fileId, file_name: name = '', mime_type: mime = '' }: Readable,
): Promise<DocumentText | undefined> {
  const read = await files.read(fileId, maxFileBytes)
  if (!read.ok) return undefined
  const isPdf = mime === 'application/pdf' || read.bytes.indexOf('%PDF-') === 0
  const text = beginningOf((isPdf ? await pdfText(read.bytes) : documentText(read.bytes)) ?? '')
  const called = cutTo(shownName(name), longestName) || 'file'
  if (text === '') return undefined
  return { quoted: `${called}:\n\`\`\`\n${text}\n\`\`\``, length: codePoints(text) }
}

/** A file that contains a NUL character is taken for binary data. */
function documentText(bytes: Buffer): string | undefined {
  const text = plainTextOf(bytes)
  return text?.includes('\0') ? undefined : text
}

export async function pdfText(bytes: Buffer, cpuMs = pdfCpuMs): Promise<string | undefined> {
  return (await decode('pdf', bytes, z.string(), { ...pdfLimits, cpuMs })) || undefined
}

function beginningOf(text: string): string {
  const cut = cutTo(text, maxFileText)
  return cut === text ? text : `${cut}\n…`
}

// The words of a message as a text model reads them: hidden links, code and quotations, which Telegram keeps beside the text, are written into
// it as Markdown.

type Marked = Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>

export function markedWords(message: Marked): string {
  const words = wordsIn(message)
  const inserted = entitiesIn(message).flatMap((entity) => marksOf(entity, words))
  let marked = ''
  let from = 0
  for (const { at, mark } of inserted.toSorted((a, b) => a.at - b.at)) {
    marked += words.slice(from, at) + mark
    from = at
  }
  return marked + words.slice(from)
}

interface Insertion {
  readonly at: number
  readonly mark: string
}

function marksOf(entity: MessageEntity, words: string): Insertion[] {
  const { offset, length } = entity
  const end = offset + length
  switch (entity.type) {
    case 'text_link':
      return [
        { at: offset, mark: '[' },
        { at: end, mark: `](${entity.url})` },
      ]
    case 'pre':
      return fences(words, offset, end, entity.language)
    case 'blockquote':
    case 'expandable_blockquote':
      return lineStarts(words, offset, end).map((at) => ({ at, mark: '> ' }))
    default:
      return []
  }
}

function fences(words: string, start: number, end: number, language = ''): Insertion[] {
  const code = words.slice(start, end)
  // A fence is longer than any in the code.
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isLineStart = start === 0 || words[start - 1] === '\n'
  const isLineEnd = end === words.length || words[end] === '\n'
  return [
    { at: start, mark: `${isLineStart ? '' : '\n'}${fence}${language}\n` },
    { at: end, mark: `${code.endsWith('\n') ? '' : '\n'}${fence}${isLineEnd ? '' : '\n'}` },
  ]
}

const lineStarts = (words: string, start: number, end: number): number[] => [
  start,
  ...[...words.slice(start, end - 1).matchAll(/\n/g)].map(({ index }) => start + index + 1),
]
