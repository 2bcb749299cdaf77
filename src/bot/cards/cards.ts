// The cards of drafts: what they show, sending them below newer messages, and taps on them.

import type { Api, RawApi } from 'grammy'
import type { MaybeInaccessibleMessage } from 'grammy/types'
import type { Answers } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { cardOf } from '../../form/card.ts'
import type { Page } from '../../form/card-data.ts'
import type { Kopecks } from '../../money.ts'
import { type Quoted, quoteDraft } from '../../orders/confirm.ts'
import {
  createDraft,
  type Draft,
  findDraft,
  lastAnswers,
  modelsPage,
  presetsOf,
  setCard,
  setOpenPage,
} from '../../orders/drafts.ts'
import type { NoteKind } from '../../telegram/message-notes.ts'
import { htmlWithoutPreview, removeMessage, sendInto } from '../../telegram/send.ts'
import type { Tap } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { amountToOffer, type CardFunds, cardFundsOf, groupPays, isOverGroup, setPayer } from '../balance.ts'
import {
  alert,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  isButtonOfMessage,
  locationOf,
  redraw,
} from '../context.ts'
import { tappedNote } from '../notes.ts'
import { onTap } from '../routes.ts'
import { droppedPlain, hintText, settingsText } from './answer-text.ts'
import { type DraftAnswered, offersFor } from './answers.ts'
import { type CardView, viewCard } from './card-view.ts'
import { stepIn, stepPage, viewStep } from './guide-steps.ts'
import { speechOf } from './speech.ts'
import { modelOf, type Switched, siblingsOf } from './switch-model.ts'
import { suggestedFor, suggestionOffers, unfitOf } from './unfit.ts'

/** A page of a card, or a step of the guide. */
export type Shown = Page | { readonly at: 'step'; readonly name: string }

const mainPage = { at: 'main' } as const

/** The name of a page that waits for its user, in the draft; null for any other page. */
function openPageOf(page: Shown): string | null {
  if (page.at === 'step') return stepPage(page.name)
  return page.at === 'field' ? page.name : page.at === 'models' ? modelsPage : null
}

/** The page that the draft says is open. */
export function pageOf({ openPage }: Pick<Draft, 'openPage'>): Shown {
  const step = stepIn(openPage)
  if (step !== undefined) return { at: 'step', name: step }
  if (openPage === null) return mainPage
  return openPage === modelsPage ? { at: 'models' } : { at: 'field', name: openPage }
}

export async function viewDraft(
  deps: BotDeps,
  draft: Draft,
  say: Say,
  shown: Shown = mainPage,
): Promise<CardView> {
  const step = shown.at === 'step' ? await viewStep(deps, draft, shown.name, say) : undefined
  if (step) return step
  const page = shown.at === 'step' ? mainPage : shown
  const model = modelOf(deps, draft)
  const suggested = await suggestedFor(deps, draft)
  const isMore = page.at === 'advanced' || page.at === 'suggestion'
  const suggestions = isMore ? await suggestionOffers(deps, draft) : []
  const around = {
    rewritings: suggestions.map(({ rewriting }) => rewriting.to),
    suggested,
    siblings: page.at === 'field' ? [] : await siblingsOf(deps, draft),
    offers: await offersFor(deps, draft, model),
    makesStyles: deps.makesStyles,
    inGroup: draft.chatId < 0,
    ...(await reusableFor(deps, draft, page)),
  }
  const card = cardOf(model, draft.answers, page, around)
  const hint = card.open ? hintText(deps, { model, answers: draft.answers }, card.open, say) : ''
  return viewCard(
    card,
    {
      draftId: draft.id,
      ...(await priced(deps, draft, page)),
      unfit: await unfitOf(deps, draft),
      hint,
      suggested,
      suggestions,
    },
    say,
  )
}

async function reusableFor({ db }: BotDeps, { userId, modelId }: Draft, { at }: Page) {
  return {
    last: at === 'advanced' ? await lastAnswers(db, userId, modelId) : undefined,
    presets: at === 'presets' ? await presetsOf(db, userId, modelId) : [],
  }
}

/**
 * Starts a draft in the chat and topic of the update. When the update is handled again after a crash, its draft is returned.
 * @param unfitPrompt a prompt that the model does not accept, kept to be corrected
 * @returns undefined outside of chats
 */
export async function startDraft(
  deps: BotDeps,
  ctx: Ctx,
  model: Model,
  answers: Answers,
  unfitPrompt: string | null = null,
): Promise<Draft | undefined> {
  const { db, ids, clock } = deps
  const location = locationOf(ctx)
  if (!location) return undefined
  const byGroup = await groupPays(deps, location.chatId, ctx.user)
  const draft = {
    id: ids.next(),
    userId: ctx.user.id,
    modelId: model.id,
    answers,
    unfitPrompt,
    updateId: ctx.update.update_id,
    byGroup,
  }
  return createDraft(db, { ...draft, ...location }, clock.now())
}

/** Sends the card below all other messages and deletes its previous message. @param above HTML above the card */
export async function sendCard(
  deps: BotDeps,
  api: Api<RawApi>,
  draft: Draft,
  say: Say,
  page: Shown = mainPage,
  above: readonly string[] = [],
): Promise<void> {
  const { html, keyboard } = await viewDraft(deps, draft, say, page)
  const text = [...above, html].join('\n\n')
  const sent = await sendInto(draft, (into) =>
    api.sendMessage(draft.chatId, text, { ...into, ...htmlWithoutPreview, reply_markup: keyboard }),
  )
  await setCard(deps.db, draft.id, sent.message_id, deps.clock.now(), openPageOf(page))
  if (draft.cardMessageId !== null) await removeMessage(api, draft.chatId, draft.cardMessageId)
}

/** Whether a message is the draft's present card. */
export const isCardOf = (
  { chatId, cardMessageId }: Pick<Draft, 'chatId' | 'cardMessageId'>,
  message: Pick<MaybeInaccessibleMessage, 'chat' | 'message_id'> | undefined,
): boolean => message?.chat.id === chatId && message.message_id === cardMessageId

// The price of a card, its payer, and the amount to top up for it.

/** When the wallet of the group cannot pay the price of an order, the user becomes the payer, and the card says why. */
async function priced(deps: BotDeps, draft: Draft, { at }: Page) {
  const found = await speechOf(deps, draft)
  const isUnsold = found === 'unsold'
  const speech = isUnsold ? undefined : found?.amount
  const quoted: Quoted = isUnsold ? { ok: false, reason: 'not-offered' } : await quoteDraft(deps, draft)
  const amount = quoted.ok ? quoted.quote.amount + (speech ?? 0n) : undefined
  const funds = await cardFundsOf(deps, draft, amount)
  const changed = at === 'main' && isOverGroup(funds) && (await setPayer(deps, draft, 'own'))
  if (changed && funds.at === 'group')
    return { quoted: await quoteDraft(deps, changed), speech, funds: { ...funds, payer: 'own' as const } }
  const topUp = amount === undefined ? undefined : topUpFor(deps, funds, amount)
  return { quoted, speech, funds, topUp }
}

/** The amount to top up for this price; undefined when the balance is enough, in a group, and while nothing can be topped up. */
function topUpFor({ topUps }: BotDeps, funds: CardFunds, price: Kopecks): Kopecks | undefined {
  if (funds.at === 'group' || topUps.providers.length === 0 || funds.available >= price) return undefined
  return amountToOffer(topUps, price - funds.available)
}

// Taps on the card of a draft: checks the owner and that it is the present card, and draws it again.

/** Handles a tap on the card of an open draft of the user who taps. */
export function onCardTap<Args extends { draftId: string }>(
  deps: BotDeps,
  tap: Tap<Args>,
  handle: (ctx: Ctx, draft: Draft, args: Args) => Promise<void>,
) {
  return onTap(tap, async (ctx, args) => {
    const draft = await withTappedCard(deps, ctx, await findDraft(deps.db, args.draftId, ctx.user.id))
    if (draft?.state === 'open') return handle(ctx, draft, args)
    if (draft) await alertStaleCard(ctx)
  })
}

/**
 * Handles a tap on a message about a draft of the user who taps: the message goes, and the card comes again below the others.
 * @param change returns the draft to show; undefined when the button no longer fits, which the alert says
 */
export function onTapBeside<Args, About extends { readonly draftId: string }>(
  deps: BotDeps,
  tap: Tap<Args>,
  kind: NoteKind<About>,
  change: (draft: Draft, about: About, args: Args, ctx: Ctx) => Promise<Draft | undefined>,
  stale: 'stale-card' | 'parameters-prompt-changed' = 'stale-card',
) {
  return onTap(tap, async (ctx, args) => {
    const about = await tappedNote(deps, ctx, kind)
    const draft = about && (await findDraft(deps.db, about.draftId, ctx.user.id))
    if (!about || draft?.state !== 'open') return alertStaleCard(ctx)
    const changed = await change(draft, about, args, ctx)
    if (!changed) return alert(ctx, ctx.say.plain(stale))
    await answerTap(ctx)
    await deleteTapped(ctx)
    await sendCard(deps, ctx.api, changed, ctx.say)
  })
}

export const alertStaleCard = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('stale-card'))

/** A card whose message was never sent is sent again. @returns undefined after an alert, when the draft has another card or no card */
export async function withTappedCard(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft | undefined,
): Promise<Draft | undefined> {
  const message = ctx.callbackQuery?.message
  if (draft && isCardOf(draft, message)) return draft
  if (draft?.state !== 'open') return void (await alertStaleCard(ctx))
  // A card can be tapped before its message id is stored, or after a process died before it stored the id.
  const newer = newerCard(ctx, draft)
  if (newer !== undefined) return replaceCard(deps, ctx, draft, newer)
  await alert(ctx, ctx.say.plain('card-elsewhere'))
  if (draft.cardMessageId === null) await sendCard(deps, ctx.api, draft, ctx.say)
  return undefined
}

function newerCard(ctx: Ctx, { chatId, cardMessageId }: Draft): number | undefined {
  const message = ctx.callbackQuery?.message
  if (!message || message.chat.id !== chatId || message.message_id <= (cardMessageId ?? 0)) return undefined
  return isButtonOfMessage(ctx) ? message.message_id : undefined
}

async function replaceCard(
  { db, clock }: BotDeps,
  { api }: Ctx,
  draft: Draft,
  newer: number,
): Promise<Draft> {
  await setCard(db, draft.id, newer, clock.now())
  const { chatId, cardMessageId } = draft
  if (cardMessageId !== null) await removeMessage(api, chatId, cardMessageId)
  return { ...draft, cardMessageId: newer }
}

export async function showPage(deps: BotDeps, ctx: Ctx, draft: Draft, page: Shown): Promise<void> {
  await answerTap(ctx)
  await render(deps, ctx, draft, page)
}

/**
 * Shows what a tap has changed, and tells what no longer fits.
 * @param changed undefined, or not `ok`, when there is no such option any more
 * @param told the answer to the tap when nothing was dropped
 */
export async function showChanged(
  deps: BotDeps,
  ctx: Ctx,
  changed: DraftAnswered | Switched | { readonly draft: Draft } | undefined,
  page: Shown = mainPage,
  told?: string,
): Promise<void> {
  const { say } = ctx
  if (!changed || !('draft' in changed)) return alert(ctx, say.plain('stale-option'))
  const lost = 'dropped' in changed ? droppedPlain(say, changed.dropped) : undefined
  const now = 'lowered' in changed ? settingsText(say, changed.lowered, changed.draft.answers) : ''
  await answerTap(ctx, lost ?? (now ? say.plain('answers-lowered', { settings: now.slice(0, 100) }) : told))
  await render(deps, ctx, changed.draft, page)
}

export async function render(deps: BotDeps, ctx: Ctx, draft: Draft, page: Shown): Promise<void> {
  const openPage = openPageOf(page)
  if (draft.openPage !== openPage) await setOpenPage(deps.db, draft.id, openPage, deps.clock.now())
  const { html, keyboard } = await viewDraft(deps, draft, ctx.say, page)
  await redraw(ctx, html, keyboard)
}
