// The models that a draft can be switched to, and the switch.

import type { Model } from '../../catalog/model.ts'
import { keepPrompt, promptOfDraft } from '../../form/fit.ts'
import type { Sibling } from '../../form/page.ts'
import { carryAnswers, type Dropped, droppedBy } from '../../form/switch.ts'
import { changeDraft, type Draft } from '../../generations/drafts.ts'
import { modelSwitch, switchedOff } from '../../sales/switches.ts'
import type { BotDeps } from '../context.ts'

/** The price of the same answers with each model that the draft can be switched to. */
export async function siblingsOf(deps: BotDeps, from: Model, { answers }: Draft): Promise<Sibling[]> {
  const { catalog } = deps
  return (await alternatives(deps, from)).map((model) => {
    const own = model.id === from.id ? answers : carryAnswers(from, model, answers)
    const request = catalog.request(model, own)
    return { model, amount: request && catalog.price(model, request)?.amount }
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
  const { db, catalog, clock } = deps
  const from = catalog.find(draft.modelId)
  const to = from && (await alternatives(deps, from)).find((model) => model.id === modelId)
  if (!from || !to) return undefined
  // Answers are carried with a quality that is at most the usual one, which would lower what the user chose for this very model.
  if (to.id === from.id) return { draft, dropped: [] }
  const changeOf = (current: Draft) => {
    const carried = carryAnswers(from, to, current.answers)
    return { modelId: to.id, ...keepPrompt(to, carried, promptOfDraft(from, current), current.writtenPrompt) }
  }
  const switched = await changeDraft(db, draft, changeOf, clock.now())
  return switched && { draft: switched, dropped: droppedBy(from, to, draft.answers, switched.answers) }
}
