// The button of a card whose prompt does not fit: a text model translates or shortens it, and the result goes onto the card.

import type { Composer } from 'grammy'
import { answer, type SettledAnswer } from '../../chat/answer.ts'
import { beginRewriting } from '../../chat/rewriting.ts'
import { findTurn } from '../../chat/turns.ts'
import { claimRewriting, type Draft } from '../../generations/drafts.ts'
import { taps } from '../../telegram/taps.ts'
import { isOperator } from '../admin/operator.ts'
import { answerTexts, conversationLocation } from '../chat/asking.ts'
import { explain } from '../chat/beginning.ts'
import { deliverAnswer } from '../chat/deliver.ts'
import type { Recipient } from '../chat/parts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answerTap } from '../responses.ts'
import { Routes } from '../routes.ts'
import { onCardTap, showPage } from './tapped.ts'
import { unfitOf } from './unfit.ts'

export function rewriting(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onCardTap(deps, composer, taps.rewritePrompt, (ctx, draft) => rewrite(deps, ctx, draft))
  return composer
}

async function rewrite(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  const { say, user, api } = ctx
  const model = deps.catalog.find(draft.modelId)
  const unfit = model && unfitOf(deps, model, draft)
  if (!unfit?.offer) return showPage(deps, ctx, draft, { at: 'main' })
  const id = deps.ids.next()
  const isFree = !(await isRewriting(deps, draft)) && (await claimRewriting(deps.db, draft, id))
  if (!isFree) return answerTap(ctx, say.plain('rewrite-runs'))
  const prepared = await beginRewriting(deps, {
    id,
    draftId: draft.id,
    userId: user.id,
    isOperator: isOperator(deps, ctx),
    where: conversationLocation(draft),
    words: unfit.words,
    rewriting: unfit.offer.rewriting,
    updateId: ctx.update.update_id,
  })
  if (!prepared.ok) return refuse(deps, ctx, prepared)
  await answerTap(ctx, say.plain(`rewrite-${unfit.offer.rewriting.to}`))
  const recipient = { user, say, location: draft, isPrivate: draft.chatId > 0 }
  const { turn, request } = prepared
  deps.running.start(turn, async (stop) => {
    const answered = await answer(deps, turn, request, unseen, answerTexts(say), stop)
    await deliver(deps, api, answered, recipient)
  })
}

/** The rewritten text is not shown while the model writes it. */
const unseen = { show: () => undefined, close: async () => undefined }

async function deliver(deps: BotDeps, api: Ctx['api'], { turn }: SettledAnswer, recipient: Recipient) {
  if (!turn) return
  deps.metrics.answers.ended(turn)
  await deliverAnswer({ deps, api, isLate: false }, turn, recipient)
}

/** Whether a rewriting is under way: a second tap starts no other. */
async function isRewriting({ db }: BotDeps, { rewritingId, userId }: Draft): Promise<boolean> {
  const last = rewritingId === null ? undefined : await findTurn(db, rewritingId, userId)
  return last?.state === 'streaming' || last?.delivery === 'pending'
}

async function refuse(
  deps: BotDeps,
  ctx: Ctx,
  refused: Extract<Awaited<ReturnType<typeof beginRewriting>>, { ok: false }>,
): Promise<void> {
  if (refused.reason === 'asked-before' || refused.reason === 'unknown-price') return answerTap(ctx)
  if (refused.reason !== 'insufficient') await answerTap(ctx)
  await explain(deps, ctx, refused)
}
