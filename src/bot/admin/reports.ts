// Problem reports: the open ones, and the two buttons that close one. Several operators have the same buttons: the first tap decides.

import { type Composer, InlineKeyboard } from 'grammy'
import type { Generation } from '../../generations/generation.ts'
import { findGeneration } from '../../generations/order.ts'
import { findPerson } from '../../operator/people.ts'
import { declineReport, findReport, openReports, type Report, refundReport } from '../../operator/reports.ts'
import { shortened } from '../../runtime/shortened.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import { problemText, showResult } from '../account/problem.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alert, alertStale, notice, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { nameOf } from './operator.ts'
import { orderLine, refundText } from './orders.ts'
import { tellAbout } from './outgoing.ts'

const mostShown = 5

export function reports(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.reports, async (ctx) => {
    await notice(ctx)
    const open = await openReports(deps.db, mostShown)
    if (open.length === 0) await reply(ctx, ctx.say.html('admin-no-reports'))
    for (const report of open) await showReport(deps, ctx, report)
  })
  onTap(composer, taps.refundReport, async (ctx, { reportId }) => {
    const report = await findReport(deps.db, reportId)
    await (report ? refund(deps, ctx, report) : alertStale(ctx))
  })
  onTap(composer, taps.declineReport, async (ctx, { reportId }) => {
    const report = await findReport(deps.db, reportId)
    await (report ? decline(deps, ctx, report) : alertStale(ctx))
  })
  return composer
}

async function showReport(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const generation = await findGeneration(deps, report.generationId, report.userId)
  const person = await findPerson(deps.db, report.userId)
  if (!generation || !person) return
  const operatorId = ctx.chat?.id
  if (operatorId !== undefined) await showResult({ ...deps, api: ctx.api }, generation, operatorId, ctx.say)
  const html = ctx.say.html('admin-report', {
    name: nameOf(person),
    said: problemText(ctx.say, report),
    order: { html: orderLine(deps, ctx.say, generation) },
  })
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-report-refund'), taps.refundReport.data({ reportId: report.id }))
    .text(ctx.say.plain('admin-button-report-decline'), taps.declineReport.data({ reportId: report.id }))
    .row()
    .text(shortened(nameOf(person), 40), taps.showUser.data({ userId: person.id }))
  await reply(ctx, html, keyboard)
}

async function refund(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const reporter = await findUser(deps.db, report.userId)
  const say = deps.texts(reporter?.locale ?? homeLocale)
  const reason = say.plain('refund-by-report')
  const resolved = await refundReport(deps, ctx.from?.id ?? null, report, reason)
  if (resolved === 'closed') return alreadyClosed(ctx)
  if (resolved.ok) deps.topUps.noticed()
  await notice(ctx)
  await close(ctx, refundText(ctx.say, resolved))
}

async function decline(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  if (!(await declineReport(deps, ctx.from?.id ?? null, report.id))) return alreadyClosed(ctx)
  await notice(ctx)
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
  await alert(ctx, ctx.say.plain('admin-report-closed'))
  await ctx.editMessageReplyMarkup().catch(() => undefined)
}

/** Removes the buttons of the message and replies to it with the outcome. */
async function close(ctx: Ctx, outcome: string): Promise<void> {
  const message_id = ctx.msgId ?? 0
  await ctx.editMessageReplyMarkup().catch(() => undefined)
  await ctx.reply(outcome, {
    parse_mode: 'HTML',
    reply_parameters: { message_id, allow_sending_without_reply: true },
  })
}
