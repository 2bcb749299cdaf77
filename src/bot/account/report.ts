// "Report a problem" on a receipt: one question, then the operators get the answer with the receipt and two buttons, whose taps
// admin/reports.ts handles.

import { type Api, Composer, type Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import type { Generation } from '../../generations/generation.ts'
import { type Receipt, readReceipt } from '../../generations/history.ts'
import { findGeneration } from '../../generations/order.ts'
import { fileReport, findReportOf, longestReport, type Report } from '../../operator/reports.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, type Locale } from '../../texts.ts'
import { findByTelegram } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { type BotConversation, putQuestion, waitForAnswer } from '../question.ts'
import { alert, notice, send } from '../responses.ts'
import { receiptText } from './receipt.ts'

export const reportName = 'report'

const reportQuestion = noteKind('report-question', z.strictObject({ generationId: z.string() }))

/** Strings only: the conversations plugin stores them as JSON. */
interface Args {
  readonly generationId: string
  readonly userId: string
  readonly locale: Locale
}

/** Orders that were charged and not refunded. */
export const mayReport = ({ state, captured, refunded }: Generation): boolean =>
  state === 'succeeded' && (captured ?? 0n) > 0n && !refunded

export function report(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.reportProblem, async (ctx, { generationId }) => {
    const generation = await findGeneration(deps, generationId, ctx.user.id)
    if (generation && (await findReportOf(deps.db, generationId))) {
      return alert(ctx, ctx.say.plain('report-before'))
    }
    if (!generation || !mayReport(generation)) return alert(ctx, ctx.say.plain('history-foreign'))
    await notice(ctx)
    const args: Args = { generationId, userId: String(generation.userId), locale: ctx.say.locale }
    await ctx.conversation.enter(reportName, args)
  })
  return composer
}

export function createReport(deps: BotDeps) {
  return async function askProblem(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const { generationId } = args
    const asked = { kind: reportQuestion, userId: BigInt(args.userId), about: { generationId } }
    const put = (to: Context, html: string) => putQuestion(deps, conversation, to, asked, { html, say })
    const first = await put(ctx, say.html('report-ask', { max: longestReport }))
    const start = conversation.checkpoint()
    const reply = await waitForAnswer(deps, conversation, asked, first)
    const said = (reply.message.text ?? reply.message.caption ?? '').trim()
    const length = codePoints(said)
    if (length === 0 || length > longestReport) {
      await put(reply.ctx, say.html('report-again', { length, max: longestReport }))
      return conversation.rewind(start)
    }
    // Sent outside of the conversation: it would store an error with the bot's token in it.
    const isFiled = await conversation.external((outside) => file(deps, outside.api, args, said))
    await send(reply.ctx, isFiled ? say.html('report-sent') : say.html('report-before'))
  }
}

async function file(deps: BotDeps, api: Api, args: Args, said: string): Promise<boolean> {
  const { generationId } = args
  const userId = BigInt(args.userId)
  const filed = await fileReport(deps, { generationId, userId, said })
  const receipt = filed && (await readReceipt(deps, generationId, userId))
  if (!receipt) return false
  for (const operatorId of deps.operator.ids) {
    await tellOperator(deps, api, operatorId, filed, receipt).catch((error: unknown) => {
      deps.log.warn({ report: filed.id, error }, 'operator not told of a report')
    })
  }
  return true
}

/** Fails for an operator who has never written to the bot: Telegram refuses the message. */
async function tellOperator(
  deps: BotDeps,
  api: Api,
  operatorId: number,
  { id, said, userId }: Report,
  receipt: Receipt,
): Promise<void> {
  const operator = await findByTelegram(deps.db, operatorId)
  const say = deps.texts(operator?.locale ?? homeLocale)
  const text = [say.html('report-to-operator', { user: `#${userId}`, said }), receiptText(deps, say, receipt)]
  const amount = say.roubles(receipt.charged)
  await api.sendMessage(operatorId, text.join('\n\n'), {
    parse_mode: 'HTML',
    reply_markup: new InlineKeyboard()
      .text(say.plain('button-refund', { amount }), taps.refundReport.data({ reportId: id }))
      .text(say.plain('button-decline'), taps.declineReport.data({ reportId: id })),
  })
}
