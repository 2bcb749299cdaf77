// Taps on the card of a draft: whose it is, whether it is the present one, and drawing it again.

import type { Composer } from 'grammy'
import type { Page } from '../../form/page.ts'
import { type Draft, findDraft } from '../../generations/drafts.ts'
import type { Tap } from '../../telegram/tap.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alert, notice, redraw } from '../responses.ts'
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
  const draft = await findDraft(deps.db, draftId, ctx.user.id)
  return (await isTappedCard(deps, ctx, draft)) ? draft : undefined
}

/** @returns false after an alert */
export async function isTappedCard(deps: BotDeps, ctx: Ctx, draft: Draft | undefined): Promise<boolean> {
  if (draft && isCardOf(draft, ctx.callbackQuery?.message)) return true
  const isElsewhere = draft?.state === 'open'
  await alert(ctx, isElsewhere ? ctx.say.plain('card-elsewhere') : ctx.say.plain('stale-card'))
  if (isElsewhere && draft.cardMessageId === null) await sendCard(deps, ctx.api, draft, ctx.say)
  return false
}

export async function showPage(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  await notice(ctx)
  await render(deps, ctx, draft, page)
}

export async function render(deps: BotDeps, ctx: Ctx, draft: Draft, page: Page): Promise<void> {
  const { html, keyboard } = await viewDraft(deps, draft, ctx.say, page)
  await redraw(ctx, html, keyboard)
}
