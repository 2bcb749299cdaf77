// One step of the guide as a message: what is asked, the price so far, the options, and the way back, on and out.

import { InlineKeyboard } from 'grammy'
import type { Answer, Field, Label, ToggleField } from '../../../catalog/field.ts'
import type { Model } from '../../../catalog/model.ts'
import { fieldButtons } from '../../../form/buttons.ts'
import { pickKey } from '../../../form/card.ts'
import { isOptional } from '../../../form/fit.ts'
import { type CardButton, type Drawn, isClearable } from '../../../form/page.ts'
import type { Setting } from '../../../form/settings.ts'
import type { Draft } from '../../../orders/drafts.ts'
import { cutTo, cutWithEllipsis } from '../../../runtime/text.ts'
import { fitted, taps } from '../../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../../texts.ts'
import type { BotDeps } from '../../context.ts'
import { answerText, labelOf, optionText } from '../answer-text.ts'
import type { CardView } from '../card-view.ts'
import { amountOf, hintText, pricesOf } from '../price-view.ts'
import { saysYes } from './match.ts'
import { isAdvanced, type Step, stepAfter, stepBefore, stepsOf } from './steps.ts'

interface Shown {
  readonly deps: Pick<BotDeps, 'catalog' | 'texts'>
  readonly draft: Draft
  readonly drawn: Drawn
  readonly step: Step
  readonly say: Say
}

/** @param remark HTML above the question: why an answer was refused, or what else has changed */
export function viewStep(shown: Shown, remark = ''): CardView {
  return { html: htmlOf(shown, remark), keyboard: keyboardOf(shown) }
}

function htmlOf(shown: Shown, remark: string): string {
  const { deps, draft, drawn, step, say } = shown
  const steps = stepsOf(drawn, isAdvanced(drawn, step.name))
  const at = steps.findIndex(({ name }) => name === step.name) + 1
  const { model } = drawn
  const title = say.html('card-title', { command: model.commands[0], name: say.label(model.label) })
  const amount = amountOf(deps, drawn, drawn.answers)
  const sections = [
    say.html('guide-title', { title: { html: title }, at, count: steps.length }),
    remark,
    step.setting ? questionOf(shown, step.setting) : modelsText(shown),
    amount === undefined ? '' : say.html('card-price', { amount: say.roubles(amount) }),
    draft.chatId < 0 && step.setting && isSent(step.setting.field) ? say.html('guide-reply') : '',
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const isSent = ({ kind }: Field) => kind === 'text' || kind === 'media'

/** Code points of an answer that no button shows; it is quoted below the question. */
const shownAnswer = 500

function questionOf({ deps, drawn, say }: Shown, { field }: Setting): string {
  const answer = drawn.answers[field.name]
  const hint = escapeHtml(hintText(deps, drawn, field, say))
  const asked = isSent(field) ? say.html(field.kind === 'media' ? 'guide-send-file' : 'guide-write') : ''
  const how = hint || asked
  const cut = isShownBelow(drawn, field, answer)
    ? cutWithEllipsis(answerText(field, answer, say), shownAnswer)
    : ''
  const lines = [`<b>${escapeHtml(labelOf(field, say))}</b>`, how && `<i>${how}</i>`]
  const text = lines.filter((line) => line !== '').join('\n')
  return cut === '' ? text : `${text}\n<blockquote>${escapeHtml(cut)}</blockquote>`
}

function isShownBelow({ offers }: Drawn, field: Field, answer: Answer | undefined): boolean {
  if (answer === undefined) return false
  return (
    field.kind === 'media' ||
    (field.kind === 'text' && !offers[field.name]?.some(({ value }) => value === answer))
  )
}

function modelsText({ drawn, say }: Shown): string {
  const lines = drawn.siblings.map(({ model }) => {
    const about = aboutModel(model)
    const name = `<b>${escapeHtml(say.label(model.label))}</b>`
    return about ? say.html('guide-model', { name: { html: name }, about: say.label(about) }) : name
  })
  return [say.html('guide-which-model'), ...lines].join('\n')
}

function keyboardOf(shown: Shown): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  const { drawn, step } = shown
  if (step.setting) addOptions(keyboard, shown, step.setting)
  else addModels(keyboard, shown)
  if (step.setting && isClearable(drawn, step.setting.field)) addClear(keyboard, shown, step.setting)
  addWays(keyboard, shown)
  return fitted(keyboard)
}

function addModels(keyboard: InlineKeyboard, { draft, drawn, say }: Shown): void {
  for (const { model, amount } of drawn.siblings) {
    const name = say.label(model.label) + (amount === undefined ? '' : ` · ${say.roubles(amount)}`)
    const text = model.status === 'deprecated' ? say.plain('model-deprecated', { name }) : name
    const shown = chosenText(text, model.id === drawn.model.id)
    keyboard.text(shown, taps.guideModel.data({ draftId: draft.id, modelId: model.id })).row()
  }
}

const chosenText = (text: string, chosen: boolean): string => (chosen ? `● ${text}` : text)

interface OptionButton {
  readonly value: string
  readonly answer: Answer
  readonly text: string
  readonly chosen: boolean
}

function addOptions(keyboard: InlineKeyboard, shown: Shown, setting: Setting): void {
  const { deps, draft, drawn, say } = shown
  const rows = optionRows(shown, setting)
  const prices = pricesOf(
    deps,
    drawn,
    setting.field,
    rows.flat().map(({ answer }) => answer),
  )
  // Buttons with prices are wide, so at most two stand in a row.
  const fitting = prices.size > 0 ? rows.flatMap((row) => pairs(row)) : rows
  for (const row of fitting) {
    for (const { value, answer, text, chosen } of row) {
      const amount = prices.get(answer)
      const label = amount === undefined ? text : `${text} · ${say.roubles(amount)}`
      const { page: step } = setting
      keyboard.text(chosenText(label, chosen), taps.guideSet.data({ draftId: draft.id, step, value }))
    }
    keyboard.row()
  }
}

const pairs = <T>(row: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(row.length / 2) }, (_, at) => row.slice(at * 2, at * 2 + 2))

function optionRows({ deps, drawn, say }: Shown, setting: Setting): OptionButton[][] {
  const { field } = setting
  if (field.kind === 'toggle') {
    const option = (isYes: boolean) => {
      const answer = saysYes(deps.texts, field, isYes)
      const chosen = drawn.complete[field.name] === answer
      return { value: answer ? 'on' : 'off', answer, text: toggleText(deps, field, answer, say), chosen }
    }
    return [[option(true), option(false)]]
  }
  const rows = fieldButtons(drawn, setting).map((row) => row.flatMap((button) => optionOf(button, say)))
  return rows.filter((row) => row.length > 0)
}

/** “Yes” or “no” for the label of the toggle, also where its value at the gateway is the opposite. */
const toggleText = ({ texts }: Shown['deps'], field: ToggleField, answer: boolean, say: Say): string =>
  say.plain(answer === saysYes(texts, field, true) ? 'guide-toggle-on' : 'guide-toggle-off')

function optionOf(button: CardButton, say: Say): OptionButton[] {
  if (button.to === 'pick') {
    const { option, chosen } = button
    return [{ value: pickKey(option), answer: option.value, text: optionText(option, say), chosen }]
  }
  if (button.to !== 'set') return []
  const { field, value, chosen } = button
  const answer = field.kind === 'number' ? Number(value) : value
  return [{ value, answer, text: answerText(field, answer, say), chosen }]
}

function addClear(keyboard: InlineKeyboard, { draft, say }: Shown, { page, field }: Setting): void {
  if (field.kind !== 'media' && field.kind !== 'text') return
  keyboard.text(say.plain('button-remove'), taps.guideClear.data({ draftId: draft.id, step: page })).row()
}

function addWays(keyboard: InlineKeyboard, shown: Shown): void {
  const { draft, drawn, step, say } = shown
  const draftId = draft.id
  const dataOf = (way: 'n' | 'b' | 'v') => taps.guideGo.data({ draftId, way, step: step.name })
  const on = onText(shown)
  if (on) keyboard.text(on, dataOf('n')).primary().row()
  const isLast = !stepAfter(drawn, step.name, isAdvanced(drawn, step.name))
  if (isLast && stepAfter(drawn, step.name, true))
    keyboard.text(say.plain('button-advanced'), dataOf('v')).row()
  if (stepBefore(drawn, step.name)) keyboard.text(say.plain('button-back'), dataOf('b'))
  else keyboard.text(say.plain('button-drop'), taps.guideDrop.data({ draftId }))
  keyboard.text(say.plain('guide-done'), taps.guideDone.data({ draftId }))
}

/** The text of the button to the next step; undefined while an order needs an answer to this step. */
function onText({ deps, drawn, step, say }: Shown): string | undefined {
  if (!step.setting) return say.plain('guide-next', { value: say.label(drawn.model.label) })
  const { field } = step.setting
  const own = drawn.answers[field.name]
  const offers = drawn.offers[field.name]
  const shortly = (answer: Answer) => {
    if (field.kind === 'toggle') return toggleText(deps, field, answer === true, say)
    return cutTo(answerText(field, answer, say, offers), 24)
  }
  if (own !== undefined) {
    return field.audience === 'asked'
      ? say.plain('guide-next-plain')
      : say.plain('guide-next', { value: shortly(own) })
  }
  if (!isOptional(drawn.model, field, drawn.answers)) return undefined
  const usual = drawn.complete[field.name]
  return usual === undefined
    ? say.plain('guide-skip')
    : say.plain('guide-skip-default', { value: shortly(usual) })
}

// What each model is good at, in one line.

const lines: Readonly<Record<string, Label>> = {
  'MODEL-IMAGE-DESIGN': 'about-design',
  'MODEL-IMAGE-PHOTO': 'about-photo',
  'MODEL-3D-TEXT': 'about-3d',
  'MODEL-MUSIC': 'about-music',
  'MODEL-SPEECH-TURBO': 'about-speech',
  'MODEL-TTS-DIALOGUE': 'about-dialogue',
  'MODEL-VIDEO-DREAM': 'about-dream',
  'MODEL-VIDEO-REEL': 'about-reel',
  'MODEL-VIDEO-WAN': 'about-wan',
}

export const aboutModel = ({ id }: Pick<Model, 'id'>): Label | undefined => lines[id]
