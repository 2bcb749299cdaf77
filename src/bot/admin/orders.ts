// The last orders of a user with buttons to refund them, and /refund; the reports about orders.

import { InlineKeyboard } from 'grammy'
import { builtIn } from '../../ledger/built-in-notes.ts'
import type { Kopecks } from '../../money.ts'
import { userSubject } from '../../operator/actions.ts'
import { findPerson, lastGenerations, type Person } from '../../operator/people.ts'
import { type Allowance, type Refunded, refundable, refundGeneration } from '../../operator/refunds.ts'
import { declineReport, findReport, openReports, type Report, refundReport } from '../../operator/reports.ts'
import { artifactsOf } from '../../orders/deliver/job.ts'
import { type Generation, unrefunded } from '../../orders/generation.ts'
import { readReceipt } from '../../orders/history.ts'
import { localDay } from '../../runtime/clock.ts'
import { replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { reportKeyboard, reportText, showResult } from '../account/receipt.ts'
import { alert, alertStale, answerTap, type BotDeps, type Ctx, locationOf, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import {
  ask,
  confirmFirst,
  type Given,
  isOperator,
  type RefundWords,
  reasonWanted,
  refundIn,
  refundWords,
  tappedPerson,
} from './operator.ts'
import { nameOf, orderLine, whoIs } from './texts.ts'

export const mostShown = 8

export const orders = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.userOrders, async (ctx, { userId }) => {
      const person = await tappedPerson(deps, ctx, userId)
      if (person) await showOrders(deps, ctx, person)
    }),
    onTap(taps.refundOrder, async (ctx, { generationId: id }) => {
      await answerTap(ctx)
      await ask(deps, ctx, 'refund', id, ctx.say.html('admin-ask-refund', { id }))
    }),
  ],
})

async function showOrders(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const found = await lastGenerations(deps.db, person.id, mostShown)
  const name = nameOf(person)
  const files = await Promise.all(found.map(({ id }) => artifactsOf(deps, id)))
  const lines = found.map((one, at) => orderLine(deps, ctx.say, one, files[at] ?? []))
  const html = lines.length === 0 ? ctx.say.html('admin-no-orders', { name }) : lines.join('\n\n')
  const keyboard = new InlineKeyboard()
  for (const one of found.filter(isRefundable)) {
    const amount = ctx.say.roubles(unrefunded(one))
    const text = ctx.say.plain('admin-button-refund', { amount, id: one.id })
    keyboard.text(text, taps.refundOrder.data({ generationId: one.id })).row()
  }
  await reply(ctx, html, keyboard)
}

const isRefundable = (one: Generation): boolean => one.state === 'succeeded' && unrefunded(one) > 0n

/** /refund <generation> [sum] <reason> */
export async function refund(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  const wanted = refundIn(given)
  const { id: generationId, part, reason } = wanted
  if (reason === '') return reasonWanted(ctx.say, 'refund', given)
  if (given.as !== 'confirmed') return askToRefund(deps, ctx, wanted)
  const by = ctx.from?.id ?? null
  const which = part && { before: 0n, ...part }
  const allowance = allowanceOf(deps, ctx)
  const refunded = await refundGeneration(deps, { by, allowance, generationId, reason, part: which })
  if (refunded.ok) deps.topUps.wakeNotices()
  await reply(ctx, refundText(ctx.say, refunded))
  return undefined
}

/** Undefined for operators without a limit. */
export function allowanceOf(deps: BotDeps, ctx: Ctx): Allowance | undefined {
  const { timeZone, supportRefundLimit: most } = deps.operator
  if (isOperator(deps, ctx)) return undefined
  return { operatorId: ctx.from?.id ?? 0, day: localDay(deps.clock.now(), timeZone), most }
}

async function askToRefund(deps: BotDeps, ctx: Ctx, wanted: RefundWords): Promise<undefined> {
  const { id, part, reason } = wanted
  const found = await refundable(deps, id, part, allowanceOf(deps, ctx))
  if (!found.ok) return void (await reply(ctx, refundText(ctx.say, found)))
  const { userId, refunded } = found.generation
  const person = await findPerson(deps.db, userId)
  const facts = { id, reason, name: person ? whoIs(person) : '—' }
  const words = refundWords(wanted, refunded ?? 0n)
  const confirmed = { verb: 'refund', words, subject: userSubject(userId) } as const
  await confirmFirst(deps, ctx, confirmed, refundQuestion(ctx.say, found, facts))
}

function refundQuestion(
  say: Say,
  { generation, amount }: Extract<Refunded, { ok: true }>,
  facts: { readonly id: string; readonly reason: string; readonly name: string },
): string {
  const orNone = (sum: Kopecks) => (sum === 0n ? 'none' : say.roubles(sum))
  const before = orNone(generation.refunded ?? 0n)
  const left = orNone(unrefunded(generation) - amount)
  return say.html('admin-confirm-refund', { ...facts, before, left, amount: say.roubles(amount) })
}

function refundText(say: Say, refunded: Refunded): string {
  if (refunded.ok)
    return say.html('admin-refunded', { amount: say.roubles(refunded.amount), id: refunded.generation.id })
  const left = say.roubles(refunded.left ?? 0n)
  return say.html('admin-not-refunded', { reason: refunded.reason, left, mark: '⚠️' })
}

// Problem reports: the open ones, and the two buttons that close one after a Yes. Several operators have the same buttons: the first Yes
// decides.

const mostReports = 5

export const reports = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.reports, async (ctx) => {
      await answerTap(ctx)
      const open = await openReports(deps.db, mostReports)
      if (open.length === 0) await reply(ctx, ctx.say.html('admin-no-reports'))
      for (const report of open) await showReport(deps, ctx, report)
    }),
    onTap(taps.refundReport, (ctx, { reportId }) => askToClose(deps, ctx, 'refund_report', reportId)),
    onTap(taps.declineReport, (ctx, { reportId }) => askToClose(deps, ctx, 'decline_report', reportId)),
  ],
})

type Closing = 'refund_report' | 'decline_report'

async function askToClose(deps: BotDeps, ctx: Ctx, verb: Closing, id: string): Promise<void> {
  const report = await findReport(deps.db, id)
  if (!report) return alertStale(ctx)
  if (report.state !== 'open') return alreadyClosed(ctx)
  const refund = await refundable(deps, report.generationId, undefined, allowanceOf(deps, ctx))
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
  await (verb === 'refund_report'
    ? refundReported(deps, ctx, report, from)
    : decline(deps, ctx, report, from))
  return undefined
}

async function showReport(deps: BotDeps, ctx: Ctx, report: Report): Promise<void> {
  const receipt = await readReceipt(deps, report.generationId, report.userId)
  const person = await findPerson(deps.db, report.userId)
  if (!receipt || !person) return
  const location = locationOf(ctx)
  if (location) await showResult({ ...deps, api: ctx.api }, receipt.generation, location, ctx.say)
  const name = nameOf(person)
  const html = reportText(deps, ctx.say, name, report, receipt)
  await reply(ctx, html, reportKeyboard(ctx.say, name, report, receipt))
}

async function refundReported(deps: BotDeps, ctx: Ctx, report: Report, shown: number): Promise<void> {
  const by = ctx.from?.id ?? null
  const reason = builtIn('refund-by-report')
  const resolved = await refundReport(deps, by, report, reason, allowanceOf(deps, ctx))
  if (resolved === 'closed') return close(ctx, shown, ctx.say.html('admin-report-closed'))
  if (resolved.ok) deps.topUps.wakeNotices()
  if (!resolved.ok) return reply(ctx, refundText(ctx.say, resolved))
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
