// Taps on a card. Callback data is what anybody can send, about any message: the draft must be this user's and open, the
// message must be its card, the field and the value must exist, the quote must be current.

import { Composer, InlineKeyboard } from 'grammy'
import { defaultOf, type Field } from '../../catalog/field.ts'
import type { Page } from '../../form/card.ts'
import { type Draft, dropDraft, findDraft } from '../../generations/drafts.ts'
import { confirm, type Ordered } from '../../generations/order.ts'
import { findQuote } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import type { OverLimit } from '../../sales/limits.ts'
import type { BareKey, Say } from '../../texts.ts'
import { isOperator } from '../admin/operator.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { tappedNote } from '../notes.ts'
import { enoughTap, fieldQuestion } from './ask.ts'
import { answerDraft, isCardOf, sendCard, switchModel, viewDraft, writeAnswer } from './cards.ts'
import { askField } from './models.ts'
import { enterStyleMaker } from './style-maker.ts'

const tapPattern = /^c:([a-z0-9]{10}):([a-z])(?::([\w.-]{1,40}))?(?::(.{1,48}))?$/s
const quotePattern = /^q:([a-z0-9]{10})$/

interface Tap {
  readonly verb: string
  readonly field: string
  readonly value: string
}

export function card(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(tapPattern, async (ctx) => {
    const [, draftId = '', verb = '', field = '', value = ''] = ctx.match
    const draft = await tappedDraft(deps, ctx, draftId)
    if (draft?.state === 'open') await takeTap(deps, ctx, draft, { verb, field, value })
    else if (draft) await ctx.answerCallbackQuery(stale(ctx, 'stale-card'))
  })
  composer.callbackQuery(quotePattern, (ctx) => generate(deps, ctx, String(ctx.match[1])))
  composer.callbackQuery(enoughTap, (ctx) => showBelow(deps, ctx))
  return composer
}

const stale = (ctx: Ctx, key: BareKey) => ({ text: ctx.say.plain(key), show_alert: true })

/** The draft of whoever taps its card; undefined after a notice. A card that got lost on its way is sent anew. */
async function tappedDraft(deps: BotDeps, ctx: Ctx, draftId: string): Promise<Draft | undefined> {
  const draft = await findDraft(deps.db, draftId, ctx.user.id)
  if (draft && isCardOf(draft, ctx.callbackQuery?.message)) return draft
  const isElsewhere = draft?.state === 'open'
  await ctx.answerCallbackQuery(stale(ctx, isElsewhere ? 'card-elsewhere' : 'stale-card'))
  if (isElsewhere && draft.cardMessageId === null) await sendCard(deps, ctx.api, draft, ctx.say)
  return undefined
}

async function takeTap(deps: BotDeps, ctx: Ctx, draft: Draft, tap: Tap): Promise<void> {
  switch (tap.verb) {
    case 'o':
      return showPage(deps, ctx, draft, { at: 'field', name: tap.field })
    case 'v':
      return showPage(deps, ctx, draft, { at: 'advanced' })
    case 'n':
      return showPage(deps, ctx, draft, { at: 'models' })
    case 'm':
      return changeModel(deps, ctx, draft, tap.field)
    case 'b':
      return showPage(deps, ctx, draft, { at: 'main' })
    case 's':
      return setValue(deps, ctx, draft, tap)
    case 'x':
      return clear(deps, ctx, draft, tap)
    case 'a':
      await ctx.answerCallbackQuery()
      return askField(ctx, draft, tap.field)
    case 'y':
      await ctx.answerCallbackQuery()
      return enterStyleMaker(ctx, draft, tap.field)
    case 'd':
      return drop(deps, ctx, draft)
    default:
      await ctx.answerCallbackQuery(stale(ctx, 'stale-card'))
  }
}

async function showPage(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  await ctx.answerCallbackQuery()
  await render(deps, ctx, draft, page)
}

/** An edit that changes nothing, or a card that was deleted meanwhile, is no trouble. */
async function render(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  const { html, keyboard } = await viewDraft(deps, draft, ctx.say, page)
  await ctx.editMessageText(html, { parse_mode: 'HTML', reply_markup: keyboard }).catch(() => undefined)
}

/** All the files have been sent: the card comes below them. */
async function showBelow(deps: BotDeps, ctx: Ctx): Promise<void> {
  const asked = await tappedNote(deps, ctx, fieldQuestion)
  const draft = asked && (await findDraft(deps.db, asked.draftId, ctx.user.id))
  if (draft?.state !== 'open') return void (await ctx.answerCallbackQuery(stale(ctx, 'stale-card')))
  await ctx.answerCallbackQuery()
  await ctx.deleteMessage().catch(() => undefined)
  await sendCard(deps, ctx.api, draft, ctx.say)
}

async function setValue(deps: BotDeps, ctx: Ctx, draft: Draft, { field, value }: Tap): Promise<void> {
  const answered = await answerDraft(deps, draft.id, ctx.user.id, field, { tapped: value })
  if (!answered.ok) return void (await ctx.answerCallbackQuery(stale(ctx, 'stale-option')))
  await ctx.answerCallbackQuery(droppedNotice(ctx, answered.dropped))
  await render(deps, ctx, answered.draft, pageAfter(deps, answered.draft, field))
}

function droppedNotice(ctx: Ctx, dropped: readonly Field[]): string | undefined {
  const labels = dropped.map((field) => ctx.say.label(field.label)).join(', ')
  return labels ? ctx.say.plain('answers-dropped', { labels: labels.slice(0, 100) }) : undefined
}

async function changeModel(deps: BotDeps, ctx: Ctx, draft: Draft, modelId: string): Promise<void> {
  const switched = await switchModel(deps, draft, modelId)
  if (!switched) return void (await ctx.answerCallbackQuery(stale(ctx, 'stale-option')))
  await showPage(deps, ctx, switched, { at: 'main' })
}

/** Where a field lives: after an answer its list is shown again, and a list of which several can be picked stays. */
function pageAfter({ catalog }: BotDeps, draft: Draft, fieldName: string): Page {
  const field = catalog.find(draft.modelId)?.fields.find((one) => one.name === fieldName)
  if (field?.kind === 'text' && field.many) return { at: 'field', name: fieldName }
  return field?.audience === 'advanced' ? { at: 'advanced' } : { at: 'main' }
}

async function clear(deps: BotDeps, ctx: Ctx, draft: Draft, { field: name }: Tap): Promise<void> {
  const model = deps.catalog.find(draft.modelId)
  const field = model?.fields.find((one) => one.name === name && one.audience !== 'asked')
  const cleared = model && field && (await writeAnswer(deps, draft, model, field, undefined))
  if (!field || !cleared?.ok) return void (await ctx.answerCallbackQuery(stale(ctx, 'stale-card')))
  const key = defaultOf(field) === undefined ? 'answer-cleared' : 'answer-default'
  await ctx.answerCallbackQuery(droppedNotice(ctx, cleared.dropped) ?? ctx.say.plain(key))
  await render(deps, ctx, cleared.draft, field.audience === 'advanced' ? { at: 'advanced' } : { at: 'main' })
}

async function drop(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  await dropDraft(deps.db, draft.id, deps.clock.now())
  await ctx.answerCallbackQuery(ctx.say.plain('card-dropped'))
  await ctx.deleteMessage().catch(() => undefined)
}

async function generate(deps: BotDeps, ctx: Ctx, quoteId: string): Promise<void> {
  const quote = await findQuote(deps, quoteId)
  const draft = quote && (await tappedDraft(deps, ctx, quote.draftId))
  if (!quote) await ctx.answerCallbackQuery(stale(ctx, 'stale-card'))
  if (!draft) return
  const ordered = await confirm(deps, {
    quoteId,
    userId: ctx.user.id,
    statusMessageId: draft.cardMessageId,
    isOperator: isOperator(deps, ctx),
  })
  if (!ordered.ok) return explain(deps, ctx, ordered, draft)
  const { id, modelId } = ordered.generation
  deps.log.info({ generation: id, model: modelId }, 'confirmed')
  deps.metrics.orders.confirmed(modelId)
  await ctx.answerCallbackQuery(ctx.say.plain('ordered'))
  // Shown before the tracker is woken, or its news could be overwritten by ours.
  await deps.messenger.show(ordered.generation)
  deps.tracker.nudge()
}

async function explain(
  deps: BotDeps,
  ctx: Ctx,
  ordered: Extract<Ordered, { ok: false }>,
  { id: draftId }: Draft,
): Promise<void> {
  switch (ordered.reason) {
    case 'insufficient':
      return offerTopUp(deps, ctx, ordered.missing)
    case 'outdated':
      await ctx.answerCallbackQuery(stale(ctx, 'quote-outdated'))
      return renderAnew(deps, ctx, draftId)
    case 'already':
      return void (await ctx.answerCallbackQuery(ctx.say.plain('ordered-already')))
    case 'paused':
      return void (await ctx.answerCallbackQuery(stale(ctx, 'sales-paused')))
    case 'too-many':
    case 'daily-cap':
      return void (await ctx.answerCallbackQuery({ text: limitText(ctx.say, ordered), show_alert: true }))
    case 'maintenance':
      return void (await ctx.answerCallbackQuery(stale(ctx, 'sales-maintenance')))
    case 'not-found':
      return void (await ctx.answerCallbackQuery(stale(ctx, 'stale-card')))
  }
}

function limitText(say: Say, over: OverLimit): string {
  if (over.reason === 'too-many') return say.plain('order-too-many', { most: over.most })
  const { most, spent } = over
  const left = say.roubles(most > spent ? most - spent : 0n)
  return say.plain('order-daily-cap', { most: say.roubles(most), spent: say.roubles(spent), left })
}

async function renderAnew(deps: BotDeps, ctx: Ctx, draftId: string): Promise<void> {
  const draft = await findDraft(deps.db, draftId, ctx.user.id)
  if (draft?.state === 'open') await render(deps, ctx, draft, { at: 'main' })
}

/** Says how much is missing; the button tops up enough for this order. */
export async function offerTopUp(
  deps: BotDeps,
  ctx: Ctx,
  missing: Kopecks,
  html = ctx.say.html('not-enough', { missing: ctx.say.roubles(missing) }),
): Promise<void> {
  const { min, max } = deps.topUps.limits
  const enough = roundUp(missing > min ? missing : min, 10_00n)
  const amount = enough > max ? max : enough
  const button = ctx.say.plain('button-top-up', { amount: ctx.say.roubles(amount) })
  if (ctx.callbackQuery) await ctx.answerCallbackQuery()
  await ctx.reply(html, {
    parse_mode: 'HTML',
    ...(deps.topUps.providers.length > 0
      ? { reply_markup: new InlineKeyboard().text(button, `t:${amount}`) }
      : {}),
  })
}

const roundUp = (amount: Kopecks, step: Kopecks): Kopecks => ((amount + step - 1n) / step) * step
