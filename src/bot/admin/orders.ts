// The last generations of a user with buttons to refund them, and /refund.

import { type Composer, InlineKeyboard } from 'grammy'
import { type Generation, unrefunded } from '../../generations/generation.ts'
import type { Kopecks } from '../../money.ts'
import { userSubject } from '../../operator/actions.ts'
import { operatorStateOf } from '../../operator/order-state.ts'
import { findPerson, lastGenerations, type Person } from '../../operator/people.ts'
import { type Refunded, refundable, refundGeneration } from '../../operator/refunds.ts'
import { localTime } from '../../runtime/time-zone.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answerTap, reply } from '../responses.ts'
import { onTap, Routes } from '../routes.ts'
import { confirmFirst } from './confirming.ts'
import {
  type Given,
  nameOf,
  type RefundWords,
  reasonWanted,
  refundIn,
  refundWords,
  tappedPerson,
  whoIs,
} from './operator.ts'
import { ask } from './questions.ts'

const mostShown = 8

export function orders(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.userOrders, async (ctx, { userId }) => {
    const person = await tappedPerson(deps, ctx, userId)
    if (person) await showOrders(deps, ctx, person)
  })
  onTap(composer, taps.refundOrder, async (ctx, { generationId: id }) => {
    await answerTap(ctx)
    await ask(deps, ctx, 'refund', id, ctx.say.html('admin-ask-refund', { id }))
  })
  return composer
}

async function showOrders(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const found = await lastGenerations(deps.db, person.id, mostShown)
  const name = nameOf(person)
  const lines = found.map((one) => orderLine(deps, ctx.say, one))
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

function orderLine(
  { catalog, operator }: Pick<BotDeps, 'catalog' | 'operator'>,
  say: Say,
  generation: Generation,
): string {
  const { id, createdAt, amount, captured, refunded, modelId, taskId, reason } = generation
  const model = catalog.find(modelId)
  return say.html('admin-order', {
    id,
    time: localTime(createdAt, operator.timeZone),
    model: model ? say.label(model.label) : modelId,
    state: operatorStateOf(generation),
    amount: say.roubles(captured ?? amount),
    back: say.roubles(refunded ?? 0n),
    task: taskId ?? '—',
    reason: reason ? say.plain(`admin-reason-${reason}`) : '—',
  })
}

/** /refund <generation> [sum] <reason> */
export async function refund(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  const wanted = refundIn(given)
  const { id: generationId, part, reason } = wanted
  if (reason === '') return reasonWanted(ctx.say, 'refund', given)
  if (given.as !== 'confirmed') return askToRefund(deps, ctx, wanted)
  const by = ctx.from?.id ?? null
  const which = part && { before: 0n, ...part }
  const refunded = await refundGeneration(deps, { by, generationId, reason, part: which })
  if (refunded.ok) deps.topUps.wakeNotices()
  await reply(ctx, refundText(ctx.say, refunded))
  return undefined
}

async function askToRefund(deps: BotDeps, ctx: Ctx, wanted: RefundWords): Promise<undefined> {
  const { id, part, reason } = wanted
  const found = await refundable(deps, id, part)
  if (!found.ok) return void (await reply(ctx, refundText(ctx.say, found)))
  const { userId, refunded } = found.generation
  const person = await findPerson(deps.db, userId)
  const facts = { id, reason, name: person ? whoIs(person) : '—' }
  const words = refundWords(wanted, refunded ?? 0n)
  const confirmed = { verb: 'refund', words, subject: userSubject(userId) } as const
  await confirmFirst(deps, ctx, confirmed, refundQuestion(ctx.say, found, facts))
}

export function refundQuestion(
  say: Say,
  { generation, amount }: Extract<Refunded, { ok: true }>,
  facts: { readonly id: string; readonly reason: string; readonly name: string },
): string {
  const orNone = (sum: Kopecks) => (sum === 0n ? 'none' : say.roubles(sum))
  const before = orNone(generation.refunded ?? 0n)
  const left = orNone(unrefunded(generation) - amount)
  return say.html('admin-confirm-refund', { ...facts, before, left, amount: say.roubles(amount) })
}

export const refundText = (say: Say, refunded: Refunded): string =>
  refunded.ok
    ? say.html('admin-refunded', { amount: say.roubles(refunded.amount), id: refunded.generation.id })
    : say.html('admin-not-refunded', { reason: refunded.reason, mark: '⚠️' })
