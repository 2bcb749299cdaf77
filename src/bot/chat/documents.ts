// A document that is sent without a caption: the bot offers what can be done with it, with the price, before anything is asked.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import type { QuestionFile } from '../../catalog/field.ts'
import { writeNote } from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { isTextFile, readTextFile } from '../cards/attachment.ts'
import { openModel } from '../cards/models.ts'
import { offeredCommands } from '../commands.ts'
import { alertForeign, alertStale, type BotDeps, type Ctx, reply } from '../context.ts'
import { noteKind, openMenu, tappedNote } from '../notes.ts'
import { begin, explain } from './beginning.ts'
import { asking, enterAsk, isTaken } from './files.ts'
import { documentContent, estimateHere, type Readable } from './words.ts'

const readable = z.object({
  file_id: z.string(),
  file_name: z.string().exactOptional(),
  mime_type: z.string().exactOptional(),
  file_size: z.number().exactOptional(),
  messageId: z.int(),
})
type Sent = z.output<typeof readable>

const documentOffer = noteKind('document-offer', readable)

export async function offerDocument(deps: BotDeps, ctx: Ctx, document: Readable): Promise<void> {
  const content = await documentContent(deps, ctx, document)
  if (!content || ctx.msgId === undefined) return reply(ctx, ctx.say.html('chat-unreadable'))
  const { length, pages } = content
  const estimate = await estimateHere(deps, ctx, content)
  if (estimate?.notTaken) return explain(deps, ctx, estimate.notTaken)
  const { say } = ctx
  const keyboard = new InlineKeyboard()
  if (estimate) {
    const about = { kind: 'pdf', amount: say.roubles(estimate.amount) }
    keyboard
      .text(say.plain('button-summarise', about), taps.useDocument.data({ use: 'summary' }))
      .primary()
      .row()
    keyboard.text(say.plain('button-ask-about', about), taps.useDocument.data({ use: 'ask' })).row()
  }
  if (length > 0 && isTextFile(document) && offeredCommands(deps.catalog).includes('speech')) {
    keyboard.text(say.plain('button-read-aloud'), taps.useDocument.data({ use: 'speech' }))
  }
  const html = pages === undefined ? say.html('document-uses', { length }) : say.html('pdf-uses', { pages })
  const more = { parse_mode: 'HTML', reply_markup: keyboard, ...replyTo(ctx.msgId) } as const
  const sent = await ctx.reply(html, more)
  const about = readable.parse({ ...document, messageId: ctx.msgId })
  await writeNote(deps, sent, { kind: documentOffer, userId: ctx.user.id, about })
  await openMenu(deps, ctx, { at: 'file' }, sent)
}

export async function useDocument(deps: BotDeps, ctx: Ctx, use: 'summary' | 'ask' | 'speech'): Promise<void> {
  const sent = await tappedNote(deps, ctx, documentOffer)
  if (!sent) return alertForeign(ctx)
  if (!(await isTaken(deps, ctx))) return alertStale(ctx)
  if (use === 'speech') return openModel(deps, ctx, 'speech', (await readTextFile(deps.files, sent)) ?? '')
  if (use === 'ask') return enterAsk(ctx, documentAskName, sent)
  await askAboutDocument(deps, ctx, sent, ctx.say.plain('ask-summary'))
}

async function askAboutDocument(
  deps: BotDeps,
  ctx: Ctx,
  sent: Sent,
  words: string,
  more: readonly QuestionFile[] = [],
): Promise<void> {
  const content = await documentContent(deps, ctx, sent)
  if (!content) return reply(ctx, ctx.say.html('chat-unreadable'))
  const text = [words, content.text].filter(Boolean).join('\n\n')
  await begin(deps, ctx, { text, files: [...content.files, ...more], messageId: sent.messageId })
}

export const documentAskName = 'document'

export const createDocumentAsk = (deps: BotDeps) =>
  asking(
    deps,
    noteKind('document-question', readable),
    () => 'pdf',
    (ctx, sent, { text, files }) => askAboutDocument(deps, ctx, sent, text, files),
  )
