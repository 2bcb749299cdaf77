// Taps on the card of a draft: checks the owner and that it is the present card, and draws it again.

import type { Composer, Context, InlineKeyboard } from 'grammy'
import type { Page } from '../../form/page.ts'
import { type Draft, findDraft, modelsPage, setCard, setOpenPage } from '../../orders/drafts.ts'
import { removeMessage } from '../../telegram/send-into.ts'
import type { Tap } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { isButtonOfMessage, onTap } from '../on-tap.ts'
import type { BotConversation } from '../question.ts'
import { alert, answerTap, redraw, send } from '../responses.ts'
import { isCardOf, sendCard, viewDraft } from './cards.ts'

/** Handles a tap on the card of an open draft of the user who taps. */
export function onCardTap<Args extends { draftId: string }>(
  deps: BotDeps,
  composer: Composer<Ctx>,
  tap: Tap<Args>,
  handle: (ctx: Ctx, draft: Draft, args: Args) => Promise<void>,
): void {
  onTap(composer, tap, async (ctx, args) => {
    const draft = await tappedDraft(deps, ctx, args.draftId)
    if (draft?.state === 'open') return handle(ctx, draft, args)
    if (draft) await alertStaleCard(ctx)
  })
}

export const alertStaleCard = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('stale-card'))

/** The user's draft whose card is tapped; undefined after an alert. A card whose message was never sent is sent again. */
async function tappedDraft(deps: BotDeps, ctx: Ctx, draftId: string): Promise<Draft | undefined> {
  return withTappedCard(deps, ctx, await findDraft(deps.db, draftId, ctx.user.id))
}

/** @returns undefined after an alert, when the draft has another card or no card */
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

export async function showPage(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  await answerTap(ctx)
  await render(deps, ctx, draft, page)
}

export async function render(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  const openPage = page.at === 'field' ? page.name : page.at === 'models' ? modelsPage : null
  if (draft.openPage !== openPage) await setOpenPage(deps.db, draft.id, openPage, deps.clock.now())
  const { html, keyboard } = await viewDraft(deps, draft, ctx.say, page)
  await redraw(ctx, html, keyboard)
}

// How a conversation ends: with a text, and below it the card of its draft, which replaces the previous card.

/** JSON-safe: the conversation stores it. */
export interface Ending {
  readonly html: string
  readonly card?: {
    readonly keyboard: InlineKeyboard['inline_keyboard']
    /** The message that the new card replaces. */
    readonly old: number | null
  }
}

/** @param words HTML above the card; empty for none */
export async function endWithCard(deps: BotDeps, draft: Draft, say: Say, words: string): Promise<Ending> {
  const { html, keyboard } = await viewDraft(deps, draft, say)
  return {
    html: words === '' ? html : `${words}\n\n${html}`,
    card: { keyboard: keyboard.inline_keyboard, old: draft.cardMessageId },
  }
}

export async function sendEnding(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  draftId: string,
  { html, card }: Ending,
): Promise<void> {
  const sent = await send(ctx, html, card && { inline_keyboard: card.keyboard })
  if (!card) return
  await conversation.external(() => setCard(deps.db, draftId, sent.message_id, deps.clock.now()))
  if (card.old !== null) await removeMessage(ctx.api, sent.chat.id, card.old)
}
