// Problem reports: the open ones, and the two taps that close one. Several operators may have the same buttons: the first
// decides.

import { Composer, InlineKeyboard } from 'grammy'
import type { Generation } from '../../generations/generation.ts'
import { findGeneration } from '../../generations/order.ts'
import { findPerson } from '../../operator/people.ts'
import { declineReport, findReport, openReports, type Report, refundReport } from '../../operator/reports.ts'
import { homeLocale } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer, nameOf } from './operator.ts'
import { orderLine, refundText } from './orders.ts'
import { tellAbout } from './tell.ts'
import { createTeller } from './teller.ts'

const mostShown = 5

export function reports(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery('ad:reports', async (ctx) => {
    await ctx.answerCallbackQuery()
    const open = await openReports(deps.db, mostShown)
    if (open.length === 0) await answer(ctx, ctx.say.html('admin-no-reports'))
    for (const report of open) await showReport(deps, ctx, report)
  })
  composer.callbackQuery(/^p([rd]):([a-z0-9]{10})$/, async (ctx) => {
    const [, verb, id = ''] = ctx.match
    const report = await findReport(deps.db, id)
    if (!report)
      return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('stale-button'), show_alert: true }))
    await (verb === 'r' ? giveBack(deps, ctx, report) : decline(deps, ctx, report))
  })
  return composer
}

async function showReport(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const generation = await findGeneration(deps, report.generationId, report.userId)
  const person = await findPerson(deps.db, report.userId)
  if (!generation || !person) return
  const html = ctx.say.html('admin-report', {
    name: nameOf(person),
    said: report.said,
    order: { html: orderLine(deps, ctx.say, generation) },
  })
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-report-refund'), `pr:${report.id}`)
    .text(ctx.say.plain('admin-button-report-decline'), `pd:${report.id}`)
    .row()
    .text(nameOf(person).slice(0, 40), `ad:u:${person.id}`)
  await answer(ctx, html, keyboard)
}

async function giveBack(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const reporter = await findUser(deps.db, report.userId)
  const say = deps.texts(reporter?.locale ?? homeLocale)
  const reason = say.plain('refund-by-report')
  const resolved = await refundReport(deps, ctx.from?.id ?? null, report, reason)
  if (resolved === 'closed') return alreadyClosed(ctx)
  await ctx.answerCallbackQuery()
  await close(ctx, refundText(ctx.say, resolved))
  if (!resolved.ok) return
  await createTeller({ ...deps, api: ctx.api }).refunded(resolved.generation, resolved.amount, reason)
}

async function decline(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  if (!(await declineReport(deps, ctx.from?.id ?? null, report.id))) return alreadyClosed(ctx)
  await ctx.answerCallbackQuery()
  await close(ctx, ctx.say.html('admin-declined'))
  const generation = await findGeneration(deps, report.generationId, report.userId)
  if (generation) await explainDecline(deps, ctx, generation)
}

const explainDecline = (deps: BotDeps, ctx: Ctx, generation: Generation): Promise<boolean> => {
  const { contact } = deps.operator
  return tellAbout({ ...deps, api: ctx.api }, generation, (say) =>
    contact ? say.html('told-declined-contact', { contact }) : say.html('told-declined'),
  )
}

async function alreadyClosed(ctx: Ctx): Promise<void> {
  await ctx.answerCallbackQuery({ text: ctx.say.plain('admin-report-closed'), show_alert: true })
  await ctx.editMessageReplyMarkup().catch(() => undefined)
}

/** The message loses its buttons, and the outcome stands below it. */
async function close(ctx: Ctx, outcome: string): Promise<void> {
  const message_id = ctx.msgId ?? 0
  await ctx.editMessageReplyMarkup().catch(() => undefined)
  await ctx.reply(outcome, {
    parse_mode: 'HTML',
    reply_parameters: { message_id, allow_sending_without_reply: true },
  })
}
