// "Report a problem" on a receipt: one question, then the operators get it with the receipt and two buttons, which the
// operator's own feature answers (`pr:` refunds, `pd:` declines).

import { type Api, Composer, type Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import type { Generation } from '../../generations/generation.ts'
import { type Receipt, readReceipt } from '../../generations/history.ts'
import { findGeneration } from '../../generations/order.ts'
import { fileReport, findReportOf, longestReport, type Report } from '../../operator/user-reports.ts'
import { homeLocale, type Locale } from '../../texts.ts'
import { findByTelegram } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { putQuestion, type Talk, waitForAnswer } from '../question.ts'
import { receiptText } from './receipt.ts'

export const reportName = 'report'

export const reportQuestion = noteKind('report-question', z.strictObject({ generationId: z.string() }))

/** Strings only: the plugin stores them as JSON. */
interface Args {
  readonly generationId: string
  readonly userId: string
  readonly locale: Locale
}

/** What was charged for and not given back yet. */
export const mayReport = ({ state, captured, refunded }: Generation): boolean =>
  state === 'succeeded' && (captured ?? 0n) > 0n && !refunded

export function report(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(/^hr:([a-z0-9]{10})$/, async (ctx) => {
    const generation = await findGeneration(deps, String(ctx.match[1]), ctx.user.id)
    const before = generation && (await findReportOf(deps.db, generation.id))
    if (!generation || !mayReport(generation) || before) {
      const text = ctx.say.plain(before ? 'report-before' : 'history-foreign')
      return void (await ctx.answerCallbackQuery({ text, show_alert: true }))
    }
    await ctx.answerCallbackQuery()
    const { id: generationId, userId } = generation
    const args: Args = { generationId, userId: String(userId), locale: ctx.say.locale }
    await ctx.conversation.enter(reportName, args)
  })
  return composer
}

export function createReport(deps: BotDeps) {
  return async function askProblem(conversation: Talk, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const { generationId } = args
    const asked = { kind: reportQuestion, userId: BigInt(args.userId), about: { generationId } }
    const put = (to: Context, html: string) => putQuestion(deps, conversation, to, asked, { html, say })
    await put(ctx, say.html('report-ask', { max: longestReport }))
    const start = conversation.checkpoint()
    const reply = await waitForAnswer(deps, conversation, asked)
    const said = (reply.message.text ?? reply.message.caption ?? '').trim()
    const length = codePoints(said)
    if (length === 0 || length > longestReport) {
      await put(reply.ctx, say.html('report-again', { length, max: longestReport }))
      return conversation.rewind(start)
    }
    // Sent from outside: what fails inside a conversation would be stored, with the bot's token in it.
    const isFiled = await conversation.external((outside) => send(deps, outside.api, args, said))
    await reply.ctx.reply(say.html(isFiled ? 'report-sent' : 'report-before'), { parse_mode: 'HTML' })
  }
}

async function send(deps: BotDeps, api: Api, args: Args, said: string): Promise<boolean> {
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

/** Whoever of the operators has never written to the bot can not be written to. */
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
      .text(say.plain('button-refund', { amount }), `pr:${id}`)
      .text(say.plain('button-decline'), `pd:${id}`),
  })
}
