// The question in a message: its words, what it replies to, the texts of their files, and the files that a model sees or hears.

import type { Document, Message, MessageEntity } from 'grammy/types'
import type { QuestionFile } from '../../catalog/field.ts'
import { codePoints, visible } from '../../catalog/fields.ts'
import type { TextModel } from '../../catalog/text-models.ts'
import { estimatePrice, type Taking, takingAt } from '../../chat/begin.ts'
import { soundOf } from '../../chat/question-files.ts'
import { readPdf } from '../../media/convert.ts'
import { plainTextOf } from '../../runtime/file-format.ts'
import { cutTo } from '../../runtime/text.ts'
import type { Files } from '../../telegram/files.ts'
import { entitiesIn, wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { shownName } from '../../users/user.ts'
import { attachmentIn } from '../cards/attachment.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { factsOf, type Referred, referredTo } from '../notes.ts'
import { conversationLocation } from './asking.ts'

export async function takingHere(
  deps: BotDeps,
  ctx: Ctx,
  file: Pick<QuestionFile, 'medium' | 'pages'>,
): Promise<Taking> {
  const location = locationOf(ctx)
  return location ? takingAt(deps, ctx.user.id, conversationLocation(location), file) : 'by-none'
}

export async function estimateHere(
  deps: BotDeps,
  ctx: Ctx,
  question: Pick<Words, 'text' | 'files'>,
  by?: TextModel,
) {
  const location = locationOf(ctx)
  if (!location) return undefined
  const where = conversationLocation(location)
  return estimatePrice(deps, { ...question, userId: ctx.user.id, where }, by)
}

/** Whether somebody asks by voice without a word of text. */
export const asksByVoice = (message: Message): boolean => isVoice(message) && visible(wordsIn(message)) === ''

interface Words {
  readonly ok: true
  readonly text: string
  readonly files: readonly QuestionFile[]
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
  ctx: Ctx,
  message: Message,
  words: string,
): Promise<Words | Unread> {
  const own = await contentOf(deps, ctx, message)
  const other = await referredContent(deps, ctx, message)
  if (!own.ok) return own
  if (!other.ok) return other
  const texts = [quoteOf(message, ctx.me.id), visible(words), own.text, other.text]
  const text = texts.filter(Boolean).join('\n\n')
  const files = [...own.files, ...other.files]
  return text === '' && files.length === 0 ? { ok: false, missing: 'file' } : { ok: true, text, files }
}

const noContent: Words = { ok: true, text: '', files: [] }

/** A reply that quotes words is about them, and can be answered without a file that is not read. */
async function referredContent(deps: BotDeps, ctx: Ctx, message: Message): Promise<Words | Unread> {
  const { quote } = message
  const before = referredTo(message)
  if (!before) return noContent
  const content = await contentOf(deps, ctx, quote ? { ...before, text: quote.text } : before)
  const isQuoted = quote?.is_manual === true
  if (!content.ok) return isQuoted ? noContent : content
  const video = isQuoted ? content.files.find(({ medium }) => medium === 'video') : undefined
  if (video && (await takingHere(deps, ctx, video)) !== 'taken') return noContent
  // A sound that is replied to is what the question is about.
  return {
    ...content,
    files: content.files.map((file) => (file.medium === 'audio' ? soundOf(file, false) : file)),
  }
}

/** Whether the message itself says something, unlike a sound file that somebody has. */
export const isVoice = ({ voice, video_note }: Referred): boolean => (voice ?? video_note) !== undefined

/** The content of the message's file for a question: the text of a text file or PDF, otherwise the file itself. */
async function contentOf(deps: BotDeps, ctx: Ctx, message: Referred): Promise<Words | Unread> {
  const { document } = message
  const file = await attachmentIn(deps.files, message)
  if (file && (file.medium === 'audio' || message.video_note))
    return { ...noContent, files: [soundOf(file, isVoice(message))] }
  if (file?.medium === 'video' && (await takingHere(deps, ctx, file)) === 'by-none')
    return { ok: false, missing: 'video' }
  if (file) return { ...noContent, files: [file] }
  if (document) return (await documentContent(deps, ctx, document)) ?? { ok: false, missing: 'file' }
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

export type Readable = Pick<Document, 'file_id'> &
  Partial<Pick<Document, 'file_name' | 'mime_type' | 'file_size'>>

/** Whether the size and the type of a document allow that it contains text; its bytes decide. */
export const mayHaveText = ({ file_size: size = 0, mime_type: mime = '' }: Readable): boolean =>
  size <= maxFileBytes && !/^(image|video|audio)\//.test(mime)

interface DocumentText {
  /** The name and the text of the file, as they are sent to a text model; empty for a PDF without text. */
  readonly quoted: string
  /** Code points of the text alone. */
  readonly length: number
  readonly bytes: number
  /** Of a PDF. */
  readonly pages?: number
}

type DocumentContent = Words & Pick<DocumentText, 'length' | 'pages'>

/**
 * A PDF as it is, if the model of the conversation takes it, or if it has no text and another model does; otherwise the text.
 * @returns undefined when there is nothing to read
 */
export async function documentContent(
  deps: BotDeps,
  ctx: Ctx,
  document: Readable,
): Promise<DocumentContent | undefined> {
  const read = mayHaveText(document) ? await readDocument(deps, document) : undefined
  if (!read) return undefined
  const { quoted, length, bytes, pages } = read
  if (pages !== undefined) {
    const facts = { mime: 'application/pdf', bytes, pages }
    const taking = await takingHere(deps, ctx, { medium: 'pdf', pages })
    if (taking === 'taken' || (quoted === '' && taking === 'by-others'))
      return { ...noContent, files: [{ file: document.file_id, medium: 'pdf', ...facts }], length, pages }
  }
  return quoted === '' ? undefined : { ...noContent, text: quoted, length }
}

/** @returns undefined unless the document is a text or a PDF */
export async function readDocument(
  { files }: { readonly files: Files },
  { file_id: fileId, file_name: name = '', mime_type: mime = '' }: Readable,
): Promise<DocumentText | undefined> {
  const read = await files.read(fileId, maxFileBytes)
  if (!read.ok) return undefined
  const isPdf = mime === 'application/pdf' || read.bytes.indexOf('%PDF-') === 0
  const pdf = isPdf ? await readPdf(read.bytes) : undefined
  const text = beginningOf((isPdf ? pdf?.text : documentText(read.bytes)) ?? '')
  const called = cutTo(shownName(name), longestName) || 'file'
  if (text === '' && !pdf) return undefined
  const quoted = text === '' ? '' : `${called}:\n\`\`\`\n${text}\n\`\`\``
  const facts = { quoted, length: codePoints(text), bytes: read.bytes.length }
  return pdf ? { ...facts, pages: pdf.pages } : facts
}

/** A file that contains a NUL character is taken for binary data. */
function documentText(bytes: Buffer): string | undefined {
  const text = plainTextOf(bytes)
  return text?.includes('\0') ? undefined : text
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
