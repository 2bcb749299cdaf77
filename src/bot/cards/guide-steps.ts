// The guide asks for one setting after another. A step is a page of the card, which `openPage` of the draft names: it waits for a tap, for
// words or for a file as long as it is open. Which steps there are depends on the answers so far.

import { InlineKeyboard } from 'grammy'
import type { Answer } from '../../catalog/field.ts'
import { drawnFrom, fieldButtons, isClearable, openSettings, pickKey } from '../../form/card.ts'
import type { CardButton, Drawn } from '../../form/card-data.ts'
import { isOptional, type Setting, settingAt, settingsOf } from '../../form/fit.ts'
import type { Draft } from '../../orders/drafts.ts'
import { cutTo, cutWithEllipsis } from '../../runtime/text.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { answerText, filesGiven, hintText, labelOf, optionText, pricesOf, titleOf } from './answer-text.ts'
import { offersFor } from './answers.ts'
import { type CardView, chosenText } from './card-view.ts'
import { saysYes } from './match.ts'
import { modelOf } from './switch-model.ts'

/** The mark of a step among the open pages: no setting has such a name. */
const mark = '>'

/** The page of a step, in `openPage` of the draft. */
export const stepPage = (name: string): string => `${mark}${name}`

/** The name of the setting that an open step asks for; undefined if the open page is no step. */
export const stepIn = (openPage: string | null | undefined): string | undefined =>
  openPage?.startsWith(mark) ? openPage.slice(mark.length) : undefined

/** A draft with everything that its steps depend on. */
export async function drawnOf(deps: BotDeps, draft: Draft): Promise<Drawn> {
  const model = modelOf(deps, draft)
  const offers = await offersFor(deps, draft, model)
  const inGroup = draft.chatId < 0
  return drawnFrom(model, draft.answers, { offers, makesStyles: deps.makesStyles, inGroup })
}

/** The names of all settings in order, including those that the answers hide: the prompt is first, or follows the toggle that asks for it. */
function orderOf({ model, complete }: Drawn): string[] {
  const all = settingsOf(model, complete)
  const rankOf = ({ page, field }: Setting, at: number): number => {
    const asking = all.findIndex((one) => one.field.kind === 'toggle' && one.field.asks === page)
    if (complete[all[asking]?.page ?? ''] === true) return asking + 0.5
    return field.audience === 'asked' ? -1 : at
  }
  const ranked = all.map((setting, at) => ({ page: setting.page, rank: rankOf(setting, at) }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ page }) => page)
}

/** The prompt, the files, and the settings that matter. */
function stepsOf(drawn: Drawn): Setting[] {
  const order = orderOf(drawn)
  return openSettings(drawn, ['asked', 'card']).toSorted(
    (a, b) => order.indexOf(a.page) - order.indexOf(b.page),
  )
}

/** The first step behind a name, even if the step of this name no longer exists; undefined at the end. */
export function stepAfter(drawn: Drawn, name: string): Setting | undefined {
  const order = orderOf(drawn)
  return stepsOf(drawn).find(({ page }) => order.indexOf(page) > order.indexOf(name))
}

export function stepBefore(drawn: Drawn, name: string): Setting | undefined {
  const order = orderOf(drawn)
  return stepsOf(drawn).findLast(({ page }) => order.indexOf(page) < order.indexOf(name))
}

/** Where the guide begins: at the first step without an answer of the user, or else at the first. */
export function firstStep(drawn: Drawn): Setting | undefined {
  const steps = stepsOf(drawn)
  return steps.find(({ field }) => drawn.answers[field.name] === undefined) ?? steps[0]
}

// A step as a message: what is asked, the price so far, the options with their prices, and the way back, on and out.

interface Shown {
  readonly deps: Pick<BotDeps, 'catalog' | 'texts'>
  readonly draft: Draft
  readonly drawn: Drawn
  readonly step: Setting
  readonly say: Say
}

/** @returns undefined when the draft has no such setting */
export async function viewStep(
  deps: BotDeps,
  draft: Draft,
  name: string,
  say: Say,
): Promise<CardView | undefined> {
  const drawn = await drawnOf(deps, draft)
  const step = settingAt(drawn.model, drawn.complete, name)
  if (!step) return undefined
  const shown: Shown = { deps, draft, drawn, step, say }
  const rows = optionRows(shown)
  return { html: htmlOf(shown, rows), keyboard: keyboardOf(shown, rows) }
}

interface OptionButton {
  readonly value: string
  readonly answer: Answer
  readonly text: string
  readonly chosen: boolean
}
type Rows = readonly (readonly OptionButton[])[]

function optionRows(shown: Shown): Rows {
  const { drawn, step } = shown
  const { field } = step
  if (field.kind !== 'toggle')
    return fieldButtons(drawn, step).map((row) => row.flatMap((button) => optionOf(button, shown)))
  const isYes = saysYes(shown.deps.texts, field, true)
  const states = [isYes, !isYes].map((answer) => {
    const chosen = drawn.complete[field.name] === answer
    return { value: answer ? 'on' : 'off', answer, text: valueText(shown, answer), chosen }
  })
  return [states]
}

function optionOf(button: CardButton, shown: Shown): OptionButton[] {
  if (button.to === 'pick') {
    const { option, chosen } = button
    return [{ value: pickKey(option), answer: option.value, text: optionText(option, shown.say), chosen }]
  }
  if (button.to !== 'set') return []
  const { field, value, chosen } = button
  const answer = field.kind === 'number' ? Number(value) : value
  return [{ value, answer, text: valueText(shown, answer), chosen }]
}

/** “Yes” or “no” for the label of a toggle, also where its value at the gateway is the opposite. */
function valueText({ deps, drawn, say, step: { field } }: Shown, answer: Answer): string {
  if (field.kind !== 'toggle') return answerText(field, answer, say, drawn.offers[field.name])
  return say.plain(saysYes(deps.texts, field, answer === true) ? 'guide-toggle-on' : 'guide-toggle-off')
}

/** Code points of an answer that no button shows; it is quoted below the question. */
const shownAnswer = 500

function htmlOf(shown: Shown, rows: Rows): string {
  const { deps, draft, drawn, step, say } = shown
  const { field } = step
  const { model, answers } = drawn
  const isSent = field.kind === 'text' || field.kind === 'media'
  const how = field.kind === 'media' ? 'guide-send-file' : 'guide-write'
  const hint = escapeHtml(hintText(deps, drawn, field, say)) || (isSent ? say.html(how) : '')
  const isOnButton = rows.flat().some(({ chosen }) => chosen)
  const answer = isOnButton ? '' : cutWithEllipsis(answerText(field, answers[field.name], say), shownAnswer)
  const amount = deps.catalog.priceWith(model, answers)?.amount
  const question = [
    `<b>${escapeHtml(labelOf(field, say))}</b>`,
    hint && `<i>${hint}</i>`,
    answer && `<blockquote>${escapeHtml(answer)}</blockquote>`,
  ]
  const sections = [
    [titleOf(model, say), ...filesGiven(model, answers, say, field)].join('\n'),
    question.filter(Boolean).join('\n'),
    amount === undefined ? '' : say.html('card-price', { amount: say.roubles(amount) }),
    draft.chatId < 0 && isSent ? say.html('guide-reply') : '',
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function keyboardOf(shown: Shown, rows: Rows): InlineKeyboard {
  const { deps, draft, drawn, say, step } = shown
  const { page, field } = step
  const keyboard = new InlineKeyboard()
  const prices = pricesOf(
    deps,
    drawn,
    field,
    rows.flat().map(({ answer }) => answer),
  )
  for (const row of rows) {
    for (const { value, answer, text, chosen } of row) {
      const amount = prices.get(answer)
      const label = amount === undefined ? text : `${text} · ${say.roubles(amount)}`
      keyboard.text(chosenText(label, chosen), taps.guideSet.data({ draftId: draft.id, step: page, value }))
    }
    keyboard.row()
  }
  if ((field.kind === 'media' || field.kind === 'text') && isClearable(drawn, field))
    keyboard.text(say.plain('button-remove'), taps.guideClear.data({ draftId: draft.id, step: page })).row()
  addWays(keyboard, shown)
  return fitted(keyboard)
}

function addWays(keyboard: InlineKeyboard, shown: Shown): void {
  const { draft, drawn, step, say } = shown
  const draftId = draft.id
  const go = (way: 'n' | 'b') => taps.guideGo.data({ draftId, way, step: step.page })
  const on = onText(shown)
  if (on) keyboard.text(on, go('n')).primary().row()
  if (!stepAfter(drawn, step.page))
    keyboard.text(say.plain('button-advanced'), taps.openAdvanced.data({ draftId })).row()
  if (stepBefore(drawn, step.page)) keyboard.text(say.plain('button-back'), go('b'))
  else keyboard.text(say.plain('button-drop'), taps.dropDraft.data({ draftId }))
  keyboard.text(say.plain('guide-done'), taps.guideDone.data({ draftId }))
}

/** The text of the button to the next step; undefined while an order needs an answer to this step. */
function onText(shown: Shown): string | undefined {
  const { drawn, step, say } = shown
  const { field } = step
  const own = drawn.answers[field.name]
  const shortly = (answer: Answer) => ({ value: cutTo(valueText(shown, answer), 24) })
  if (own !== undefined)
    return field.audience === 'asked' ? say.plain('guide-next-plain') : say.plain('guide-next', shortly(own))
  if (!isOptional(drawn.model, field, drawn.answers)) return undefined
  const usual = drawn.complete[field.name]
  return usual === undefined ? say.plain('guide-skip') : say.plain('guide-skip-default', shortly(usual))
}
