// The inline keyboard of a card.

import { InlineKeyboard } from 'grammy'
import { type Answer, defaultOf, type Field } from '../../catalog/field.ts'
import { type Card, pickKey } from '../../form/card.ts'
import { buttonAnswer, type CardButton } from '../../form/page.ts'
import type { Quoted } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import { cutWithEllipsis } from '../../runtime/cut-text.ts'
import { fitted } from '../../telegram/fitted-rows.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type CardFunds, payerButtons } from '../groups/card-funds.ts'
import { answerText, labelled, labelOf, optionText } from './answer-text.ts'
import { addUnfitButtons, type Unfit } from './unfit.ts'

interface Shown {
  readonly draftId: string
  readonly quoted: Quoted
  readonly funds: CardFunds
  /** The amount to top up, while the balance is too short. */
  readonly topUp?: Kopecks | undefined
  /** A prompt that the model does not accept. */
  readonly unfit?: Unfit | undefined
  readonly say: Say
  readonly offers: Card['offers']
}

export function keyboardOf(card: Card, shown: Shown): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  if (card.page.at === 'main' && shown.unfit) addUnfitButtons(keyboard, shown.draftId, shown.unfit, shown.say)
  for (const row of card.buttons) {
    if (row.some(({ to }) => to === 'generate')) keyboard.row(...payerButtons(shown)).row()
    for (const button of row) addButton(keyboard, button, shown)
    keyboard.row()
  }
  return fitted(keyboard)
}

function addButton(keyboard: InlineKeyboard, button: CardButton, shown: Shown): void {
  if (button.to === 'generate') {
    addOrder(keyboard, shown)
    return
  }
  keyboard.text(buttonText(button, shown), dataOf(button, shown))
  if (button.to === 'ask' && button.because === 'missing' && !shown.unfit?.offer) keyboard.primary()
}

/** Adds the button that orders, once there is a price; while the balance is too short, it tops up instead. */
function addOrder(keyboard: InlineKeyboard, { draftId, quoted, topUp, say }: Shown): void {
  if (!quoted.ok) return
  if (topUp !== undefined) {
    const text = say.plain('button-top-up', { amount: say.roubles(topUp) })
    return void keyboard.text(text, taps.topUpFor.data({ draftId, amount: topUp })).primary()
  }
  const { id: quoteId, amount } = quoted.quote
  const text = say.plain('button-generate', { amount: say.roubles(amount) })
  keyboard.text(text, taps.generate.data({ quoteId })).primary()
}

type FreeButton = Exclude<CardButton, { to: 'generate' }>

function dataOf(button: FreeButton, { draftId }: Shown): string {
  switch (button.to) {
    case 'open':
      return taps.openField.data({ draftId, field: button.page })
    case 'set':
      return taps.setField.data({ draftId, field: button.page, value: button.value })
    case 'pick':
      return taps.setField.data({ draftId, field: button.field.name, value: pickKey(button.option) })
    case 'make':
      return taps.makeStyle.data({ draftId, field: button.field.name })
    case 'ask':
      return taps.askField.data({ draftId, field: button.field.name })
    case 'clear':
      return taps.clearField.data({ draftId, field: button.field.name })
    case 'advanced':
      return taps.openAdvanced.data({ draftId })
    case 'reset':
      return taps.resetDraft.data({ draftId })
    case 'presets':
      return taps.openPresets.data({ draftId })
    case 'last':
      return taps.useLast.data({ draftId })
    case 'preset':
      return taps.usePreset.data({ draftId, presetId: button.preset.id })
    case 'save':
      return taps.savePreset.data({ draftId })
    case 'models':
      return taps.openModels.data({ draftId })
    case 'switch':
      return taps.switchModel.data({ draftId, modelId: button.model.id })
    case 'back':
      return button.at === 'advanced' ? taps.openAdvanced.data({ draftId }) : taps.openMain.data({ draftId })
    case 'guide':
      return taps.guide.data({ draftId })
    case 'drop':
      return taps.dropDraft.data({ draftId })
  }
}

const plainTexts = {
  make: 'button-new-style',
  advanced: 'button-advanced',
  reset: 'button-reset',
  presets: 'button-presets',
  last: 'button-as-last-time',
  save: 'button-save-preset',
  models: 'button-model',
  back: 'button-back',
  guide: 'button-guide',
  drop: 'button-drop',
} as const

function buttonText(button: FreeButton, { say, offers }: Shown): string {
  switch (button.to) {
    case 'open':
      if (button.inLine) return editText(button.field, say)
      return openText(button.field, button.answer, say, offers)
    case 'set':
      return setText(button, say)
    case 'pick':
      return pickText(button, say)
    case 'ask':
      return askText(button, say)
    case 'clear':
      return say.plain(defaultOf(button.field) === undefined ? 'button-remove' : 'button-clear')
    case 'preset':
      return `⭐ ${button.preset.name}`
    case 'switch':
      return switchText(button, say)
    default:
      return say.plain(plainTexts[button.to])
  }
}

function openText(field: Field, answer: Answer | undefined, say: Say, offers: Card['offers'] = {}): string {
  const value = answerText(field, answer, say, offers[field.name])
  return labelled(field, cutWithEllipsis(value, buttonAnswer), say)
}

function pickText({ option, chosen }: Extract<CardButton, { to: 'pick' }>, say: Say): string {
  return chosen ? `● ${optionText(option, say)}` : optionText(option, say)
}

function switchText({ model, chosen, amount }: Extract<CardButton, { to: 'switch' }>, say: Say): string {
  const price = amount === undefined ? '' : ` · ${say.roubles(amount)}`
  const name = say.label(model.label) + price
  const text = model.status === 'deprecated' ? say.plain('model-deprecated', { name }) : name
  return chosen ? `● ${text}` : text
}

function setText({ field, value, chosen }: Extract<CardButton, { to: 'set' }>, say: Say): string {
  if (field.kind === 'toggle') return openText(field, chosen, say)
  const text = answerText(field, field.kind === 'number' ? Number(value) : value, say)
  return chosen ? `● ${text}` : text
}

function askText({ field, because }: Extract<CardButton, { to: 'ask' }>, say: Say): string {
  if (because === 'other') return say.plain('button-other')
  if (because === 'more') return say.plain('button-more-files')
  return editText(field, say)
}

const editText = (field: Field, say: Say): string =>
  `${field.kind === 'media' ? '📎' : '✏️'} ${labelOf(field, say)}`
