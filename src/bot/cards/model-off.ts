// A model that is not on sale: its card gets another model of the same command, and the chat is told, since the price differs.

import type { Model } from '../../catalog/model.ts'
import type { Draft } from '../../generations/drafts.ts'
import { modelSwitch, switchedOff } from '../../sales/switches.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { droppedHtml } from './dropped.ts'
import { type Switched, siblingsOf, switchModel } from './switch-model.ts'

interface Offered {
  readonly draft: Draft
  readonly model: Model
}

export async function isOnSale({ db, catalog }: BotDeps, model: Model): Promise<boolean> {
  return catalog.isOffered(model) && !(await switchedOff(db)).has(modelSwitch(model.id))
}

/** @returns the draft with a model on sale; the unchanged draft, whose card says so, if no other model of the command is on sale */
export async function withModelOnSale(deps: BotDeps, ctx: Ctx, draft: Draft, model: Model): Promise<Offered> {
  // When the update is repeated, the draft has its other model already.
  const current = deps.catalog.find(draft.modelId) ?? model
  if (await isOnSale(deps, current)) return { draft, model: current }
  const siblings = await siblingsOf(deps, current, draft)
  const other = siblings.find((one) => one.model.id !== current.id)?.model
  const switched = other && (await switchModel(deps, draft, other.id))
  if (!switched) return { draft, model: current }
  await tellReplaced(ctx, current, other, switched.dropped)
  return { draft: switched.draft, model: other }
}

/** Tells the chat about the other model, which can cost several times as much. @param dropped what it does not take */
export function tellReplaced(
  ctx: Ctx,
  off: Model,
  model: Model,
  dropped: Switched['dropped'] = [],
): Promise<void> {
  const names = { off: ctx.say.label(off.label), name: ctx.say.label(model.label) }
  const lines = [ctx.say.html('model-replaced', names), droppedHtml(ctx.say, dropped)]
  return reply(ctx, lines.filter((line) => line !== '').join('\n\n'))
}
