// A document with text that is sent without a caption: the bot offers what can be done with it, with the price, before anything is asked.

import { type Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import type { Attachment } from '../../catalog/field.ts'
import { estimatePrice } from '../../chat/begin.ts'
import { takeNote, writeNote } from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { readTextFile } from '../cards/attachment.ts'
import { openModel } from '../cards/models.ts'
import { offeredCommands } from '../commands.ts'
import {
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  locationOf,
  reply,
  send,
} from '../context.ts'
import { closeMenu, noteKind, openMenu, tappedNote } from '../notes.ts'
import { type Asker, type BotConversation, putQuestion, waitForWords } from '../question.ts'
import { conversationLocation } from './asking.ts'
import { begin } from './beginning.ts'
import { markedWords, mayHaveText, type Readable, readDocument, unreadText, wordsOf } from './words.ts'

const readable = z.strictObject({
  file_id: z.string(),
  file_name: z.string().exactOptional(),
  mime_type: z.string().exactOptional(),
  file_size: z.number().exactOptional(),
  messageId: z.int(),
})
type Sent = z.output<typeof readable>

const documentOffer = noteKind('document-offer', readable)
const documentQuestion = noteKind('document-question', readable)

export async function offerDocument(deps: BotDeps, ctx: Ctx, document: Readable): Promise<void> {
  const location = locationOf(ctx)
  const file = mayHaveText(document) ? await readDocument(deps, document) : undefined
  if (!location || !file || ctx.msgId === undefined) return reply(ctx, ctx.say.html('chat-unreadable'))
  const where = conversationLocation(location)
  const estimate = await estimatePrice(deps, { userId: ctx.user.id, where, text: file.quoted, files: [] })
  const { say } = ctx
  const keyboard = new InlineKeyboard()
  if (estimate) {
    const amount = say.roubles(estimate.amount)
    keyboard
      .text(say.plain('button-summarise', { amount }), taps.useDocument.data({ use: 'summary' }))
      .primary()
      .row()
    keyboard.text(say.plain('button-ask-document', { amount }), taps.useDocument.data({ use: 'ask' })).row()
  }
  if (isPlainText(document) && offeredCommands(deps.catalog).includes('speech')) {
    keyboard.text(say.plain('button-read-aloud'), taps.useDocument.data({ use: 'speech' }))
  }
  const sent = await ctx.reply(say.html('document-uses', { length: file.length }), {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    ...replyTo(ctx.msgId),
  })
  await writeNote(deps, sent, {
    kind: documentOffer,
    userId: ctx.user.id,
    about: sentOf(document, ctx.msgId),
  })
  await openMenu(deps, ctx, { at: 'file' }, sent)
}

const isPlainText = ({ mime_type: mime = '' }: Readable): boolean => mime.startsWith('text/')

function sentOf({ file_id, file_name, mime_type, file_size }: Readable, messageId: number): Sent {
  const sent: Sent = { file_id, messageId }
  if (file_name !== undefined) sent.file_name = file_name
  if (mime_type !== undefined) sent.mime_type = mime_type
  if (file_size !== undefined) sent.file_size = file_size
  return sent
}

export async function useDocument(deps: BotDeps, ctx: Ctx, use: 'summary' | 'ask' | 'speech'): Promise<void> {
  const sent = await tappedNote(deps, ctx, documentOffer)
  const message = ctx.callbackQuery?.message
  if (!sent || !message) return alertForeign(ctx)
  if (!(await takeNote(deps, message, ctx.update.update_id))) return alertStale(ctx)
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  if (use === 'summary') return askAbout(deps, ctx, sent, ctx.say.plain('ask-summary'))
  if (use === 'speech') return openModel(deps, ctx, 'speech', (await readTextFile(deps.files, sent)) ?? '')
  const args: Args = { sent: JSON.stringify(sent), userId: String(ctx.user.id), locale: ctx.say.locale }
  await ctx.conversation.enter(documentAskName, args)
}

async function askAbout(
  deps: BotDeps,
  ctx: Ctx,
  sent: Sent,
  words: string,
  files: readonly Attachment[] = [],
): Promise<void> {
  const file = await readDocument(deps, sent)
  if (file === undefined) return reply(ctx, ctx.say.html('chat-unreadable'))
  await begin(deps, ctx, { text: `${words}\n\n${file.quoted}`, files, messageId: sent.messageId })
}

interface Args extends Asker {
  readonly sent: string
}

export const documentAskName = 'document'

export function createDocumentAsk(deps: BotDeps) {
  return async function document(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const sent = readable.parse(JSON.parse(args.sent))
    const asked = { kind: documentQuestion, userId: BigInt(args.userId), about: sent }
    const html = say.html('document-ask')
    const first = await putQuestion(deps, conversation, ctx, asked, { html, say })
    const { message } = await waitForWords(deps, conversation, asked, say, first)
    // Called outside of the conversation, which would store an error with the bot's token in it.
    await conversation.external(async (outside) => {
      const read = await wordsOf(deps, message, markedWords(message), outside.me.id)
      if (read.ok) await askAbout(deps, outside, sent, read.text, read.files)
      else await send(outside, unreadText(say, read.missing))
    })
  }
}
