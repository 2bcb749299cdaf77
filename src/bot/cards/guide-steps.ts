// The steps of the guide in their order. They depend on the answers so far: an answer can add and remove later steps.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import type { Answer, Answers, Field, ToggleField } from '../../catalog/field.ts'
import { drawnFrom, fieldButtons, isClearable, openSettings, pickKey } from '../../form/card.ts'
import type { CardButton, Drawn } from '../../form/card-data.ts'
import { isOptional, type Setting, settingAt, settingsOf } from '../../form/fit.ts'
import { type Draft, findDraft, setCard } from '../../orders/drafts.ts'
import { cutTo, cutWithEllipsis } from '../../runtime/text.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { changeNote, type MessageRef, readNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { noteKind } from '../notes.ts'
import { answerText, filesGiven, hintText, labelOf, optionText, pricesOf, titleOf } from './answer-text.ts'
import { offersFor } from './answers.ts'
import { type CardView, chosenText } from './card-view.ts'
import { saysYes } from './match.ts'
import { modelOf } from './switch-model.ts'

/** A draft with everything that its steps depend on. */
export async function drawnOf(deps: BotDeps, draft: Draft): Promise<Drawn> {
  const model = modelOf(deps, draft)
  const offers = await offersFor(deps, draft, model)
  const inGroup = draft.chatId < 0
  return drawnFrom(model, draft.answers, { offers, makesStyles: deps.makesStyles, inGroup })
}

/** The prompt and files, and the settings that matter; the advanced settings only on request. */
export function stepsOf(drawn: Drawn, withAdvanced: boolean): Setting[] {
  const steps = openSettings(drawn, ['asked', 'card', ...(withAdvanced ? (['advanced'] as const) : [])])
  const order = orderOf(drawn)
  return steps.toSorted((a, b) => order.indexOf(a.page) - order.indexOf(b.page))
}

/** Whether the step is for an advanced setting, which is shown on request. */
export const isAdvanced = ({ model, complete }: Drawn, page: string): boolean =>
  settingAt(model, complete, page)?.field.audience === 'advanced'

/** The names of all steps in order, including those that the answers hide. */
function orderOf({ model, complete }: Drawn): string[] {
  const rank = { asked: 0, card: 1, advanced: 2, operator: 3, system: 3 }
  const names = settingsOf(model, complete)
    .toSorted((a, b) => rank[a.field.audience] - rank[b.field.audience])
    .map(({ page }) => page)
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
export function stepAfter(drawn: Drawn, name: string, withAdvanced: boolean): Setting | undefined {
  const order = orderOf(drawn)
  const at = order.indexOf(name)
  return stepsOf(drawn, withAdvanced).find(({ page }) => order.indexOf(page) > at)
}

export function stepBefore(drawn: Drawn, name: string): Setting | undefined {
  const order = orderOf(drawn)
  const at = order.indexOf(name)
  return stepsOf(drawn, true).findLast(({ page }) => order.indexOf(page) < at)
}

/** Where the guide begins: at the first step without an answer of the user, or else at the first. */
export function firstStep(drawn: Drawn): Setting | undefined {
  const steps = stepsOf(drawn, false)
  return steps.find(({ field }) => drawn.answers[field.name] === undefined) ?? steps[0]
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

// One step of the guide as a message: what is asked, the price so far, the options, and the way back, on and out.

interface Shown {
  readonly deps: Pick<BotDeps, 'catalog' | 'texts'>
  readonly draft: Draft
  readonly drawn: Drawn
  readonly step: Setting
  readonly say: Say
}

/** @param remark HTML above the question: why an answer was refused, or what else has changed */
export function viewStep(shown: Shown, remark = ''): CardView {
  return { html: htmlOf(shown, remark), keyboard: keyboardOf(shown) }
}

function htmlOf(shown: Shown, remark: string): string {
  const { deps, draft, drawn, step, say } = shown
  const { model, answers } = drawn
  const amount = deps.catalog.priceWith(model, answers)?.amount
  const sections = [
    [titleOf(model, say), ...filesGiven(model, answers, say, step.field)].join('\n'),
    remark,
    questionOf(shown),
    amount === undefined ? '' : say.html('card-price', { amount: say.roubles(amount) }),
    draft.chatId < 0 && isSent(step.field) ? say.html('guide-reply') : '',
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const isSent = ({ kind }: Field) => kind === 'text' || kind === 'media'

/** Code points of an answer that no button shows; it is quoted below the question. */
const shownAnswer = 500

function questionOf({ deps, drawn, say, step: { field } }: Shown): string {
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

function keyboardOf(shown: Shown): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  addOptions(keyboard, shown)
  if (isClearable(shown.drawn, shown.step.field)) addClear(keyboard, shown)
  addWays(keyboard, shown)
  return fitted(keyboard)
}

interface OptionButton {
  readonly value: string
  readonly answer: Answer
  readonly text: string
  readonly chosen: boolean
}

function addOptions(keyboard: InlineKeyboard, shown: Shown): void {
  const { deps, draft, drawn, say } = shown
  const { page: step, field } = shown.step
  const rows = optionRows(shown)
  const options = rows.flat().map(({ answer }) => answer)
  const prices = pricesOf(deps, drawn, field, options)
  // Buttons with prices are wide, so at most two stand in a row.
  const fitting = prices.size > 0 ? rows.flatMap((row) => pairs(row)) : rows
  for (const row of fitting) {
    for (const { value, answer, text, chosen } of row) {
      const amount = prices.get(answer)
      const label = amount === undefined ? text : `${text} · ${say.roubles(amount)}`
      keyboard.text(chosenText(label, chosen), taps.guideSet.data({ draftId: draft.id, step, value }))
    }
    keyboard.row()
  }
}

const pairs = <T>(row: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(row.length / 2) }, (_, at) => row.slice(at * 2, at * 2 + 2))

function optionRows({ deps, drawn, say, step }: Shown): OptionButton[][] {
  const { field } = step
  if (field.kind === 'toggle') {
    const option = (isYes: boolean) => {
      const answer = saysYes(deps.texts, field, isYes)
      const chosen = drawn.complete[field.name] === answer
      return { value: answer ? 'on' : 'off', answer, text: toggleText(deps, field, answer, say), chosen }
    }
    return [[option(true), option(false)]]
  }
  const rows = fieldButtons(drawn, step).map((row) => row.flatMap((button) => optionOf(button, say)))
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

function addClear(keyboard: InlineKeyboard, { draft, say, step: { page, field } }: Shown): void {
  if (field.kind !== 'media' && field.kind !== 'text') return
  keyboard.text(say.plain('button-remove'), taps.guideClear.data({ draftId: draft.id, step: page })).row()
}

function addWays(keyboard: InlineKeyboard, shown: Shown): void {
  const { draft, drawn, step, say } = shown
  const draftId = draft.id
  const dataOf = (way: 'n' | 'b' | 'v') => taps.guideGo.data({ draftId, way, step: step.page })
  const on = onText(shown)
  if (on) keyboard.text(on, dataOf('n')).primary().row()
  const isLast = !stepAfter(drawn, step.page, isAdvanced(drawn, step.page))
  if (isLast && stepAfter(drawn, step.page, true))
    keyboard.text(say.plain('button-advanced'), dataOf('v')).row()
  if (stepBefore(drawn, step.page)) keyboard.text(say.plain('button-back'), dataOf('b'))
  else keyboard.text(say.plain('button-drop'), taps.guideDrop.data({ draftId }))
  keyboard.text(say.plain('guide-done'), taps.guideDone.data({ draftId }))
}

/** The text of the button to the next step; undefined while an order needs an answer to this step. */
function onText({ deps, drawn, step, say }: Shown): string | undefined {
  const { field } = step
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
