// Problems with a result, reported below it or on its receipt: a reason is picked, or described in words in a conversation. The
// operators get the result, the receipt and buttons, whose taps admin/orders.ts handles.

import { type Api, type Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { codePoints, visible } from '../../catalog/fields.ts'
import { findPerson } from '../../operator/people.ts'
import {
  fileReport,
  findReportOf,
  longestReport,
  pickableReasons,
  type Report,
} from '../../operator/reports.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { type Generation, mayReport } from '../../orders/generation.ts'
import { type Receipt, readReceipt } from '../../orders/history.ts'
import type { MessageRef } from '../../telegram/message-notes.ts'
import { htmlWithoutPreview } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type Desk, tellOperators } from '../admin/group.ts'
import { nameOf } from '../admin/texts.ts'
import { firstButtons } from '../cards/result-uses.ts'
import { alert, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { closeMenu, type Menu, noteKind, openMenu } from '../notes.ts'
import { type Asker, actOutside, askForWords, type BotConversation } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { reportKeyboard, reportText, showResult } from './receipt.ts'

export const reportName = 'report'

const reportQuestion = noteKind('report-question', z.strictObject({ generationId: z.string() }))

interface Args extends Asker {
  readonly generationId: string
}

export const report = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.problemOf, (ctx, { generationId }) => offerReasons(deps, ctx, generationId, 'result')),
    onTap(taps.reportProblem, (ctx, { generationId }) => offerReasons(deps, ctx, generationId, 'receipt')),
    onTap(taps.reportReason, (ctx, { generationId, reason }) =>
      reportIn(deps, ctx, generationId, reason, 'result'),
    ),
    onTap(taps.reportFromReceipt, (ctx, { generationId, reason }) =>
      reportIn(deps, ctx, generationId, reason, 'receipt'),
    ),
  ],
})

/** The message whose buttons the reasons replace. */
type Below = 'result' | 'receipt'

type Reason = NonNullable<Report['reason']> | 'words'
const reasons: readonly Reason[] = [...pickableReasons, 'words']

/** The user's order, if a problem with it can be reported; undefined after an alert. */
async function reportable(deps: BotDeps, ctx: Ctx, generationId: string): Promise<Generation | undefined> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  if (generation && (await findReportOf(deps.db, generationId))) {
    await alert(ctx, ctx.say.plain('report-before'))
    return undefined
  }
  if (generation && mayReport(generation)) return generation
  await alert(ctx, ctx.say.plain('history-foreign'))
  return undefined
}

function reasonsKeyboard(say: Say, generationId: string, below: Below): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const reason of reasons)
    keyboard.text(say.plain(`problem-${reason}`), dataOf(below, generationId, reason)).row()
  return keyboard.text(say.plain('button-less'), dataOf(below, generationId, 'back'))
}

function dataOf(below: Below, generationId: string, to: Reason | 'back'): string {
  if (below === 'result') {
    if (to === 'back') return taps.lessOfResult.data({ generationId })
    return taps.reportReason.data({ generationId, reason: to })
  }
  if (to === 'back') return taps.openFiltered.data({ generationId, filter: 'all', page: 0 })
  return taps.reportFromReceipt.data({ generationId, reason: to })
}

/** The keyboard of the message after the report. */
async function keyboardAfter(
  deps: BotDeps,
  say: Say,
  generation: Generation,
  below: Below,
): Promise<InlineKeyboard> {
  if (below === 'result') return firstButtons(deps, say, generation)
  return new InlineKeyboard().text(say.plain('button-less'), dataOf(below, generation.id, 'back'))
}

/** Words typed while the reasons are shown are a report in words. */
async function offerReasons(deps: BotDeps, ctx: Ctx, generationId: string, below: Below): Promise<void> {
  if (!(await reportable(deps, ctx, generationId))) return
  await answerTap(ctx, ctx.say.plain('problem-ask'))
  const keyboard = reasonsKeyboard(ctx.say, generationId, below)
  await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
  await openMenu(deps, ctx, { at: 'reasons', generationId, below })
}

async function reportIn(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  reason: Reason,
  below: Below,
): Promise<void> {
  const generation = await reportable(deps, ctx, generationId)
  if (!generation) return
  await closeMenu(deps, ctx)
  const after = await keyboardAfter(deps, ctx.say, generation, below)
  const restore = () => ctx.editMessageReplyMarkup({ reply_markup: after }).catch(() => undefined)
  if (reason === 'words') {
    await answerTap(ctx)
    await restore()
    const args: Args = { generationId, userId: String(ctx.user.id), locale: ctx.say.locale }
    return ctx.conversation.enter(reportName, args)
  }
  const isFiled = await file(deps, ctx, { generationId, reason, said: '' })
  await alert(ctx, ctx.say.plain(isFiled ? 'report-sent' : 'report-before'))
  await restore()
}

/** Takes words that were typed beside the reasons. Words of a wrong length leave the reasons open. */
export async function reportInWords(
  deps: BotDeps,
  ctx: Ctx,
  { generationId, below }: Extract<Menu, { at: 'reasons' }>,
  { chat, message_id }: MessageRef,
  words: string,
): Promise<void> {
  const { say, user } = ctx
  const said = visible(words)
  const refusal = refusalOf(say, said)
  if (refusal !== undefined) return reply(ctx, refusal)
  await closeMenu(deps, ctx)
  const generation = await findGeneration(deps, generationId, user.id)
  if (generation) {
    const reply_markup = await keyboardAfter(deps, say, generation, below)
    await ctx.api.editMessageReplyMarkup(chat.id, message_id, { reply_markup }).catch(() => undefined)
  }
  await fileWords(deps, ctx, generationId, said)
}

function refusalOf(say: Say, said: string): string | undefined {
  const length = codePoints(said)
  if (length > 0 && length <= longestReport) return undefined
  return say.html('report-again', { length, max: longestReport })
}

export function createReport(deps: BotDeps) {
  return async function askProblem(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const { generationId } = args
    const asked = { kind: reportQuestion, userId: BigInt(args.userId), about: { generationId } }
    const html = say.html('report-ask', { max: longestReport })
    const answer = await askForWords(deps, conversation, ctx, asked, { html, say }, ({ words }) =>
      refusalOf(say, words),
    )
    await actOutside(conversation, (outside) => fileWords(deps, outside, generationId, answer.words))
  }
}

async function fileWords(deps: BotDeps, ctx: Ctx, generationId: string, said: string): Promise<void> {
  const isFiled = await file(deps, ctx, { generationId, said })
  await reply(ctx, ctx.say.html(isFiled ? 'report-sent' : 'report-before'))
}

/** @returns false when a problem with the result was reported before */
async function file(
  deps: BotDeps,
  { api, user }: Ctx,
  problem: Omit<Parameters<typeof fileReport>[1], 'userId'>,
): Promise<boolean> {
  const filed = await fileReport(deps, { userId: user.id, ...problem })
  const receipt = filed && (await readReceipt(deps, filed.generationId, user.id))
  if (!receipt) return false
  await tellOperators({ ...deps, api }, 'reports', (to) => tell({ ...deps, api }, to, filed, receipt))
  return true
}

/** Fails for an operator who has never written to the bot: Telegram refuses the message. */
async function tell(
  deps: BotDeps & { readonly api: Api },
  { say, chatId, into }: Desk,
  report: Report,
  receipt: Receipt,
): Promise<void> {
  const { userId } = report
  const person = await findPerson(deps.db, userId)
  const name = person ? nameOf(person) : `#${userId}`
  const location = { chatId, topicId: into.message_thread_id ?? null }
  await showResult(deps, receipt.generation, location, say)
  await deps.api.sendMessage(chatId, reportText(deps, say, name, report, receipt), {
    ...htmlWithoutPreview,
    ...into,
    reply_markup: reportKeyboard(say, name, report, receipt),
  })
}
