// A question about a field, open while the model of its card is switched: another field can take the answer, or none.

import { z } from 'zod'
import type { Field } from '../../catalog/field.ts'
import { counterpartIn } from '../../form/switch.ts'
import type { Draft } from '../../orders/drafts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { closeQuestion, openQuestion } from '../open-question.ts'
import { type Switched, switchModel } from './switch-model.ts'

export const fieldQuestion = noteKind(
  'field-question',
  z.strictObject({ draftId: z.string(), fieldName: z.string(), turnsOn: z.string().exactOptional() }),
)

/** The field of the model now on the card that takes the answer; undefined if the model has no such field. */
export function presentField({ catalog }: BotDeps, { modelId }: Draft, asked: Field): Field | undefined {
  const model = catalog.find(modelId)
  return model && counterpartIn(model, asked)
}

/** Switches the model of a card. The open question about the card is closed if the other model has no field for its answer. */
export async function switchModelOfCard(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  modelId: string,
): Promise<Switched | undefined> {
  const switched = await switchModel(deps, draft, modelId)
  if (switched) await closeLostQuestion(deps, ctx, draft, switched.draft)
  return switched
}

async function closeLostQuestion(deps: BotDeps, ctx: Ctx, before: Draft, after: Draft): Promise<void> {
  const about = await openQuestion(deps, ctx, fieldQuestion)
  if (about?.draftId !== after.id) return
  // A question that has outlasted an earlier switch names a field of a model before that one; its answer decides.
  const asked = deps.catalog.find(before.modelId)?.fields.find(({ name }) => name === about.fieldName)
  if (asked && !presentField(deps, after, asked)) await closeQuestion(deps, ctx)
}
