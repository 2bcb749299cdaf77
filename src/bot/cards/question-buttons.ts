// The buttons of a question for a field that close it without a typed answer.

import { findDraft } from '../../generations/drafts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { tappedNote } from '../notes.ts'
import { answerTap, deleteTapped } from '../responses.ts'
import { answerDraft, sendCard } from './cards.ts'
import { fieldQuestion } from './field-question.ts'
import { alertStaleCard } from './tapped.ts'

/** Closes the question for a field, and sends the card again below the messages. */
export async function showBelow(deps: BotDeps, ctx: Ctx): Promise<void> {
  const asked = await tappedNote(deps, ctx, fieldQuestion)
  const draft = asked && (await findDraft(deps.db, asked.draftId, ctx.user.id))
  if (draft?.state !== 'open') return alertStaleCard(ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  await sendCard(deps, ctx.api, draft, ctx.say)
}

/** Keeps the present text as the answer to the question that was asked when a toggle was switched on. */
export async function keepText(deps: BotDeps, ctx: Ctx): Promise<void> {
  const asked = await tappedNote(deps, ctx, fieldQuestion)
  if (asked?.turnsOn === undefined) return alertStaleCard(ctx)
  const input = { tapped: 'on' }
  const answered = await answerDraft(deps, asked.draftId, ctx.user.id, asked.turnsOn, input)
  if (!answered.ok) return alertStaleCard(ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  await sendCard(deps, ctx.api, answered.draft, ctx.say)
}
