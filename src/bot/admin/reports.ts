// Problem reports: the open ones, and the two buttons that close one after a Yes. Several operators have the same buttons: the first Yes
// decides.

import { Composer, InlineKeyboard } from 'grammy'
import { builtIn } from '../../ledger/built-in-notes.ts'
import { userSubject } from '../../operator/actions.ts'
import { findPerson } from '../../operator/people.ts'
import { refundable } from '../../operator/refunds.ts'
import { declineReport, findReport, openReports, type Report, refundReport } from '../../operator/reports.ts'
import { readReceipt } from '../../orders/history.ts'
import { cutTo } from '../../runtime/text.ts'
import { replyTo } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import { reportText, showResult } from '../account/receipt.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alert, alertStale, answerTap, reply } from '../responses.ts'
import { confirmFirst } from './confirming.ts'
import { type Given, nameOf, whoIs } from './operator.ts'
import { refundQuestion, refundText } from './orders.ts'

const mostShown = 5

export function reports(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.reports, async (ctx) => {
    await answerTap(ctx)
    const open = await openReports(deps.db, mostShown)
    if (open.length === 0) await reply(ctx, ctx.say.html('admin-no-reports'))
    for (const report of open) await showReport(deps, ctx, report)
  })
  onTap(composer, taps.refundReport, (ctx, { reportId }) => askToClose(deps, ctx, 'refund_report', reportId))
  onTap(composer, taps.declineReport, (ctx, { reportId }) =>
    askToClose(deps, ctx, 'decline_report', reportId),
  )
  return composer
}

type Closing = 'refund_report' | 'decline_report'

async function askToClose(deps: BotDeps, ctx: Ctx, verb: Closing, id: string): Promise<void> {
  const report = await findReport(deps.db, id)
  if (!report) return alertStale(ctx)
  if (report.state !== 'open') return alreadyClosed(ctx)
  const refund = await refundable(deps, report.generationId)
  const person = await findPerson(deps.db, report.userId)
  const name = person ? whoIs(person) : '—'
  const wanted = { verb, words: id, subject: userSubject(report.userId) }
  await answerTap(ctx)
  if (verb === 'decline_report')
    return confirmFirst(deps, ctx, wanted, ctx.say.html('admin-confirm-decline', { name }))
  if (!refund.ok) return reply(ctx, refundText(ctx.say, refund))
  const facts = { name, id: report.generationId, reason: ctx.say.plain('refund-by-report') }
  await confirmFirst(deps, ctx, wanted, refundQuestion(ctx.say, refund, facts))
}

/** Closes a report after the operator's Yes. */
export async function closeReport(
  deps: BotDeps,
  ctx: Ctx,
  verb: Closing,
  { words: id, from }: Given,
): Promise<string | undefined> {
  const report = await findReport(deps.db, id)
  if (!report) return ctx.say.html('admin-report-closed')
  await (verb === 'refund_report' ? refund(deps, ctx, report, from) : decline(deps, ctx, report, from))
  return undefined
}

async function showReport(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const receipt = await readReceipt(deps, report.generationId, report.userId)
  const person = await findPerson(deps.db, report.userId)
  if (!receipt || !person) return
  const operatorId = ctx.chat?.id
  if (operatorId !== undefined)
    await showResult({ ...deps, api: ctx.api }, receipt.generation, operatorId, ctx.say)
  const html = reportText(deps, ctx.say, nameOf(person), report, receipt)
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-report-refund'), taps.refundReport.data({ reportId: report.id }))
    .text(ctx.say.plain('admin-button-report-decline'), taps.declineReport.data({ reportId: report.id }))
    .row()
    .text(cutTo(nameOf(person), 40), taps.showUser.data({ userId: person.id }))
  await reply(ctx, html, keyboard)
}

async function refund(deps: BotDeps, ctx: Ctx, report: Report, shown: number): Promise<void> {
  const resolved = await refundReport(deps, ctx.from?.id ?? null, report, builtIn('refund-by-report'))
  if (resolved === 'closed') return close(ctx, shown, ctx.say.html('admin-report-closed'))
  if (resolved.ok) deps.topUps.wakeNotices()
  await close(ctx, shown, refundText(ctx.say, resolved))
}

async function decline(deps: BotDeps, ctx: Ctx, report: Report, shown: number): Promise<void> {
  const isDone = await declineReport(deps, ctx.from?.id ?? null, report)
  if (isDone) deps.topUps.wakeNotices()
  await close(ctx, shown, ctx.say.html(isDone ? 'admin-declined' : 'admin-report-closed'))
}

async function alreadyClosed(ctx: Ctx): Promise<void> {
  await alert(ctx, ctx.say.plain('admin-report-closed'))
  await ctx.editMessageReplyMarkup().catch(() => undefined)
}

/** Removes the buttons of the message that shows the report, and replies to it with the outcome. */
async function close(ctx: Ctx, message_id: number, outcome: string): Promise<void> {
  await ctx.api.editMessageReplyMarkup(ctx.chatId ?? 0, message_id).catch(() => undefined)
  await ctx.reply(outcome, {
    parse_mode: 'HTML',
    ...replyTo(message_id),
  })
}
