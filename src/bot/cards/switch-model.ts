// The model of a draft, the models that it can be switched to, and the switch.

import type { Model } from '../../catalog/model.ts'
import type { Sibling } from '../../form/card-data.ts'
import { keepPrompt, promptOfDraft } from '../../form/fit.ts'
import { carryAnswers, type Dropped, droppedBy } from '../../form/switch.ts'
import { changeDraft, type Draft } from '../../orders/drafts.ts'
import { modelSwitch, switchedOff } from '../../sales/sales.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { droppedHtml } from './answer-text.ts'

export function modelOf(
  { catalog }: Pick<BotDeps, 'catalog'>,
  { id, modelId }: Pick<Draft, 'id' | 'modelId'>,
): Model {
  const model = catalog.find(modelId)
  if (!model) throw new Error(`draft ${id} names a model that is not in the catalog: ${modelId}`)
  return model
}

/** The price of the same answers with each model that the draft can be switched to. */
export async function siblingsOf(deps: BotDeps, draft: Draft): Promise<Sibling[]> {
  const { catalog } = deps
  const { answers } = draft
  const from = modelOf(deps, draft)
  return (await alternatives(deps, from)).map((model) => {
    const own = model.id === from.id ? answers : carryAnswers(from, model, answers)
    return { model, amount: catalog.priceWith(model, own)?.amount }
  })
}

/** Models on sale that share a command with this one, including itself. */
async function alternatives({ catalog, db }: BotDeps, from: Model): Promise<readonly Model[]> {
  const off = await switchedOff(db)
  return catalog
    .offered()
    .filter(({ id }) => id === from.id || !off.has(modelSwitch(id)))
    .filter(({ commands }) => commands.some((command) => from.commands.includes(command)))
}

export interface Switched {
  readonly draft: Draft
  /** What the new model does not take. */
  readonly dropped: readonly Dropped[]
}

/** Switches the draft to a model of `alternatives`; undefined when the model is none of them. Its own model changes nothing. */
export async function switchModel(
  deps: BotDeps,
  draft: Draft,
  modelId: string,
): Promise<Switched | undefined> {
  const { db, clock } = deps
  const from = modelOf(deps, draft)
  const to = (await alternatives(deps, from)).find((model) => model.id === modelId)
  if (!to) return undefined
  // Answers are carried with a quality that is at most the usual one, which would lower what the user chose for this very model.
  if (to.id === from.id) return { draft, dropped: [] }
  const changeOf = (current: Draft) => {
    const carried = carryAnswers(from, to, current.answers)
    return { modelId: to.id, ...keepPrompt(to, carried, promptOfDraft(from, current), current.writtenPrompt) }
  }
  const switched = await changeDraft(db, draft, changeOf, clock.now())
  return switched && { draft: switched, dropped: droppedBy(from, to, draft.answers, switched.answers) }
}

// A model that is not on sale: its card gets another model of the same command, and the chat is told, since the price differs.

export async function isOnSale({ db, catalog }: BotDeps, model: Model): Promise<boolean> {
  return catalog.isOffered(model) && !(await switchedOff(db)).has(modelSwitch(model.id))
}

/** @returns the draft with a model on sale; the unchanged draft, whose card says so, if no other model of the command is on sale */
export async function withModelOnSale(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<Draft> {
  // When the update is repeated, the draft has its other model already.
  const current = modelOf(deps, draft)
  if (await isOnSale(deps, current)) return draft
  const other = (await siblingsOf(deps, draft)).find(({ model }) => model.id !== current.id)?.model
  const switched = other && (await switchModel(deps, draft, other.id))
  if (!switched) return draft
  await tellReplaced(ctx, current, other, switched.dropped)
  return switched.draft
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
