// Taps on the steps of the guide. Each names its step, so a button of an earlier step still does what it says.

import { settingAt } from '../../form/fit.ts'
import type { Draft } from '../../orders/drafts.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { closeQuestion } from '../question.ts'
import type { Routes } from '../routes.ts'
import { answerDraft, writeAnswer } from './answers.ts'
import { onCardTap, type Shown, showChanged, showPage } from './cards.ts'
import { drawnOf, firstStep, stepAfter, stepBefore } from './guide-steps.ts'
import { modelOf } from './switch-model.ts'

export const guide = (deps: BotDeps): Routes => ({
  taps: [
    onCardTap(deps, taps.guide, async (ctx, draft) => {
      // Words and files are for the step now.
      await closeQuestion(deps, ctx)
      const first = firstStep(await drawnOf(deps, draft))
      await showPage(deps, ctx, draft, first ? { at: 'step', name: first.page } : { at: 'main' })
    }),
    onCardTap(deps, taps.guideSet, (ctx, draft, { step, value }) => set(deps, ctx, draft, step, value)),
    onCardTap(deps, taps.guideClear, (ctx, draft, { step }) => clear(deps, ctx, draft, step)),
    onCardTap(deps, taps.guideGo, (ctx, draft, { way, step }) => go(deps, ctx, draft, way, step)),
  ],
})

/** The next step, or the card behind the last one. */
export async function afterStep(deps: BotDeps, draft: Draft, step: string): Promise<Shown> {
  const next = stepAfter(await drawnOf(deps, draft), step)
  return next ? { at: 'step', name: next.page } : { at: 'main' }
}

const fieldAt = (deps: BotDeps, draft: Draft, step: string) => {
  const model = modelOf(deps, draft)
  return settingAt(model, model.complete(draft.answers), step)?.field
}

async function set(deps: BotDeps, ctx: Ctx, draft: Draft, step: string, value: string): Promise<void> {
  const field = fieldAt(deps, draft, step)
  const answered = field && (await answerDraft(deps, draft.id, draft.userId, field.name, { tapped: value }))
  if (!answered?.ok) return showChanged(deps, ctx, undefined)
  const isMany = field?.kind === 'text' && field.many
  const page = isMany ? { at: 'step' as const, name: step } : await afterStep(deps, answered.draft, step)
  await showChanged(deps, ctx, { draft: answered.draft }, page)
}

async function clear(deps: BotDeps, ctx: Ctx, draft: Draft, step: string): Promise<void> {
  const field = fieldAt(deps, draft, step)
  const cleared = field && (await writeAnswer(deps, draft, modelOf(deps, draft), field, {}))
  await showChanged(deps, ctx, cleared, { at: 'step', name: step })
}

/** Goes to the next step or back; on guides of earlier versions also on to the advanced settings. */
async function go(deps: BotDeps, ctx: Ctx, draft: Draft, way: 'n' | 'b' | 'v', step: string): Promise<void> {
  if (way === 'v') return showPage(deps, ctx, draft, { at: 'advanced' })
  const before = way === 'b' ? stepBefore(await drawnOf(deps, draft), step) : undefined
  await showPage(
    deps,
    ctx,
    draft,
    before ? { at: 'step', name: before.page } : await afterStep(deps, draft, step),
  )
}
