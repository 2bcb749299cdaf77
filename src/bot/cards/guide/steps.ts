// The steps of the guide in their order. They depend on the answers so far: an answer can add and remove later steps.

import { z } from 'zod'
import type { Answers } from '../../../catalog/field.ts'
import { openSettings } from '../../../form/buttons.ts'
import { missingField } from '../../../form/fit.ts'
import type { Drawn } from '../../../form/page.ts'
import { type Setting, settingAt, settingsOf } from '../../../form/settings.ts'
import { type Draft, findDraft, setCard } from '../../../orders/drafts.ts'
import { changeNote, type MessageRef, readNote } from '../../../telegram/message-notes.ts'
import type { BotDeps } from '../../context.ts'
import { noteKind } from '../../notes.ts'
import { offersFor } from '../cards.ts'
import { siblingsOf } from '../switch-model.ts'

/** The step that asks for the model; no field has this name. */
export const modelStep = '.model'

export interface Step {
  /** `modelStep`, or the page of the setting. */
  readonly name: string
  /** Undefined for the step of the model. */
  readonly setting: Setting | undefined
}

/** A draft with everything that its steps depend on. */
export async function drawnOf(deps: BotDeps, draft: Draft): Promise<Drawn> {
  const { answers, modelId } = draft
  const model = deps.catalog.find(modelId)
  if (!model) throw new Error(`draft ${draft.id} names a model that is not in the catalog: ${modelId}`)
  return {
    model,
    answers,
    complete: model.complete(answers),
    missing: missingField(model, answers),
    siblings: await siblingsOf(deps, model, draft),
    offers: await offersFor(deps, draft, model),
    canLink: deps.media.link !== undefined,
    last: undefined,
    presets: [],
  }
}

/** The prompt and files, the model, and the settings that matter; the advanced settings only on request. */
export function stepsOf(drawn: Drawn, withAdvanced: boolean): Step[] {
  const settings = openSettings(drawn, ['asked', 'card', ...(withAdvanced ? (['advanced'] as const) : [])])
  const model: Step[] = drawn.siblings.length > 1 ? [{ name: modelStep, setting: undefined }] : []
  const order = orderOf(drawn)
  const steps = [...model, ...settings.map((setting): Step => ({ name: setting.page, setting }))]
  return steps.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}

/** Whether the step is for an advanced setting, which is shown on request. */
export const isAdvanced = ({ model, complete }: Drawn, name: string): boolean =>
  settingAt(model, complete, name)?.field.audience === 'advanced'

/** The names of all steps in order, including those that the answers hide. */
function orderOf({ model, complete }: Drawn): string[] {
  const rank = { asked: 0, card: 2, advanced: 3, operator: 4, system: 4 }
  const settings = settingsOf(model, complete).map(({ page, field }) => ({
    name: page,
    at: rank[field.audience],
  }))
  const names = [...settings, { name: modelStep, at: 1 }]
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name)
  return askedAfter(model, complete).reduce(
    (order, [text, toggle]) =>
      order.filter((name) => name !== text).flatMap((name) => (name === toggle ? [name, text] : [name])),
    names,
  )
}

/** The texts that toggles ask for, each with the toggle that is on. */
const askedAfter = (model: Drawn['model'], complete: Answers): [text: string, toggle: string][] =>
  model.fields.flatMap((field): [string, string][] =>
    field.kind === 'toggle' && field.asks !== undefined && complete[field.name] === true
      ? [[field.asks, field.name]]
      : [],
  )

/** The first step behind a name, even if the step of this name no longer exists; undefined at the end. */
export function stepAfter(drawn: Drawn, name: string, withAdvanced: boolean): Step | undefined {
  const order = orderOf(drawn)
  const at = order.indexOf(name)
  return stepsOf(drawn, withAdvanced).find((step) => order.indexOf(step.name) > at)
}

export function stepBefore(drawn: Drawn, name: string): Step | undefined {
  const order = orderOf(drawn)
  const at = order.indexOf(name)
  return stepsOf(drawn, true).findLast((step) => order.indexOf(step.name) < at)
}

/** Where the guide begins: at the first step without an answer of the user, or else at the first. */
export function firstStep(drawn: Drawn): Step | undefined {
  const steps = stepsOf(drawn, false)
  const isOpen = ({ setting }: Step) => !setting || drawn.answers[setting.field.name] === undefined
  return steps.find(isOpen) ?? steps[0]
}

// The step of a guide: its message is the card of the draft, and the note of that message names the step. Everything else is in the
// draft, so that a restart, a command or a day's pause loses nothing.

/** Notes of earlier versions have an empty string in place of null. */
const step = z
  .string()
  .nullable()
  .transform((name) => name || null)
/** The step is null when the message is an ordinary card. */
export const guideStep = noteKind('guide', z.strictObject({ draftId: z.string(), step }))

type Deps = Pick<BotDeps, 'db' | 'clock'>

/** Makes the message the card of the draft, at this step; null for an ordinary card. */
export async function setStep(
  deps: Deps,
  draft: Draft,
  message: MessageRef,
  step: string | null,
): Promise<void> {
  const about = { draftId: draft.id, step }
  await changeNote(deps, message, { kind: guideStep, userId: draft.userId, about })
  await setCard(deps.db, draft.id, message.message_id, deps.clock.now())
}

/** The step that the card's message asks; undefined for a card and for a draft that is no longer open. */
export async function stepOf(deps: Pick<Deps, 'db'>, draft: Draft | undefined): Promise<string | undefined> {
  if (draft?.state !== 'open' || draft.cardMessageId === null) return undefined
  const message = { chat: { id: draft.chatId }, message_id: draft.cardMessageId }
  const note = await readNote(deps, message, draft.userId, guideStep)
  return note?.draftId === draft.id && note.step !== null ? note.step : undefined
}

/** Makes the message an ordinary card again. */
export const leaveGuide = (deps: Deps, draft: Draft, message: MessageRef): Promise<void> =>
  setStep(deps, draft, message, null)

export async function openGuideOf(deps: Pick<Deps, 'db'>, draftId: string, userId: bigint) {
  const draft = await findDraft(deps.db, draftId, userId)
  const step = await stepOf(deps, draft)
  return draft && step !== undefined ? { draft, step } : undefined
}
