// A message that answers a step of the guide: words that mean an option, other words, or a file.

import type { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import type { Field } from '../../../catalog/field.ts'
import { keyOf } from '../../../form/answer.ts'
import { possibleOptions } from '../../../form/fit.ts'
import type { Drawn } from '../../../form/page.ts'
import type { Draft } from '../../../orders/drafts.ts'
import { wordsIn } from '../../../telegram/words.ts'
import type { Say } from '../../../texts.ts'
import type { BotDeps } from '../../context.ts'
import { droppedHtml, refusalText, roomText, wantedText } from '../answer-text.ts'
import { answerDraft, type Input, inputIn, viewDraft } from '../cards.ts'
import { keepFile } from '../placed.ts'
import { switchModel } from '../switch-model.ts'
import { offerTyped } from '../unfit.ts'
import { meantOption, meantToggle, optionNames } from './match.ts'
import { drawnOf, isAdvanced, modelStep, openGuideOf, type Step, stepAfter, stepsOf } from './steps.ts'
import { viewStep } from './view.ts'

/** JSON-safe: the conversation stores it. */
export interface View {
  readonly html: string
  readonly keyboard: Pick<InlineKeyboard, 'inline_keyboard'>
  /** The name of the step; undefined when the message is the card. */
  readonly step?: string
  /** The message that this one replaces. */
  readonly old: number | null
}

/** @returns undefined when the draft is closed, or its message is no longer a step */
export async function takeReply(
  deps: BotDeps,
  { draftId, userId }: { readonly draftId: string; readonly userId: bigint },
  message: Message,
  say: Say,
): Promise<View | undefined> {
  const open = await openGuideOf(deps, draftId, userId)
  if (!open) return undefined
  const { draft } = open
  const drawn = await drawnOf(deps, draft)
  const step = stepsOf(drawn, true).find(({ name }) => name === open.step)
  if (!step) return viewAfter(deps, draft, open.step, say)
  return step.setting
    ? answerStep(deps, drawn, draft, step, step.setting.field, message, say)
    : answerModel(deps, drawn, draft, message, say)
}

async function answerModel(
  deps: BotDeps,
  drawn: Drawn,
  draft: Draft,
  message: Message,
  say: Say,
): Promise<View> {
  const named = ({ model }: Drawn['siblings'][number]) => ({ value: model.id, label: model.label })
  const meant = meantOption(deps.texts, drawn.siblings, named, wordsIn(message))
  const switched = meant && (await switchModel(deps, draft, meant.model.id))
  if (switched) return viewAfter(deps, switched.draft, modelStep, say, droppedHtml(say, switched.dropped))
  const step = { name: modelStep, setting: undefined }
  return viewOf(deps, draft, step, say, say.html('guide-no-such-option'))
}

async function answerStep(
  deps: BotDeps,
  drawn: Drawn,
  draft: Draft,
  step: Step,
  field: Field,
  message: Message,
  say: Say,
): Promise<View | undefined> {
  const input = await inputOf(deps, drawn, field, message)
  if (!input) {
    const kept = field.audience === 'asked' ? await keepFile(deps, draft, message, say) : undefined
    return viewOf(deps, draft, step, say, kept ?? wantedText(say, field))
  }
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, input)
  if (!answered.ok) {
    if (answered.reason === 'closed') return undefined
    const { refusal } = answered
    const isChoice = refusal.reason === 'not-an-option'
    const why = isChoice ? say.html('guide-no-such-option') : refusalText(say, refusal, field)
    const view = await viewOf(deps, draft, step, say, why)
    const offer = 'typed' in input ? await offerTyped(deps, draft, field.name, message, input.typed, say) : []
    return { ...view, keyboard: { inline_keyboard: [...offer, ...view.keyboard.inline_keyboard] } }
  }
  const dropped = droppedHtml(say, answered.dropped)
  const remarks = [
    ...(answered.room ? [roomText(say, answered.room)] : []),
    ...(dropped === '' ? [] : [dropped]),
  ].join('\n')
  const files = answered.draft.answers[field.name]
  const hasRoom = field.kind === 'media' && Array.isArray(files) && files.length < field.max
  if (hasRoom) return viewOf(deps, answered.draft, step, say, remarks)
  return viewAfter(deps, answered.draft, step.name, say, remarks)
}

/** Reads words that mean an option as that option, and other words as an answer of their own. */
async function inputOf(
  deps: BotDeps,
  drawn: Drawn,
  field: Field,
  message: Message,
): Promise<Input | undefined> {
  const input = await inputIn(deps, field, message)
  if (!input || 'sent' in input) return input
  const option = optionOf(deps, drawn, field, input.typed)
  return option === undefined ? input : { tapped: option }
}

function optionOf({ texts }: BotDeps, drawn: Drawn, field: Field, typed: string): string | undefined {
  switch (field.kind) {
    case 'toggle':
      return meantToggle(texts, field, typed)
    case 'choice':
      return meantOption(texts, possibleOptions(drawn.model, field, drawn.answers), optionNames, typed)?.value
    case 'text': {
      const meant = field.source && meantOption(texts, drawn.offers[field.name] ?? [], optionNames, typed)
      return meant ? keyOf(meant.value) : undefined
    }
    default:
      return undefined
  }
}

/** Shows the step after this one, or the card. */
export async function viewAfter(
  deps: BotDeps,
  draft: Draft,
  name: string,
  say: Say,
  remark?: string,
): Promise<View> {
  const drawn = await drawnOf(deps, draft)
  const next = stepAfter(drawn, name, isAdvanced(drawn, name))
  return viewOf(deps, draft, next, say, remark)
}

export async function viewOf(
  deps: BotDeps,
  draft: Draft,
  step: Step | undefined,
  say: Say,
  remark = '',
): Promise<View> {
  const old = draft.cardMessageId
  if (!step) {
    const { html, keyboard } = await viewDraft(deps, draft, say)
    const above = remark === '' ? '' : `${remark}\n\n`
    return { html: above + html, keyboard: { inline_keyboard: keyboard.inline_keyboard }, old }
  }
  const drawn = await drawnOf(deps, draft)
  const { html, keyboard } = viewStep({ deps, draft, drawn, step, say }, remark)
  return { html, keyboard: { inline_keyboard: keyboard.inline_keyboard }, step: step.name, old }
}
