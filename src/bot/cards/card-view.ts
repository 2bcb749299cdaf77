// A card as HTML and an inline keyboard within Telegram's limits.

import { InlineKeyboard } from 'grammy'
import { type Answer, defaultOf, type Field, type Label } from '../../catalog/field.ts'
import { type Model, variantOf } from '../../catalog/model.ts'
import { readParts } from '../../catalog/price.ts'
import { takesWords } from '../../form/answer.ts'
import { buttonAnswer, type Card, type Line, pickKey } from '../../form/card.ts'
import type { CardButton, PlainButton, Sibling } from '../../form/card-data.ts'
import { promptField } from '../../form/fit.ts'
import type { Kopecks } from '../../money.ts'
import type { Quoted } from '../../orders/confirm.ts'
import { cutWithEllipsis } from '../../runtime/text.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { type CardFunds, fundsText, payerButtons } from '../balance.ts'
import { answerText, labelled, labelOf, optionText, partsText, titleOf } from './answer-text.ts'
import { addUnfitButtons, type Offer, offerText, type Suggested, type Unfit, unfitText } from './unfit.ts'

export interface CardView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A message has at most 4096 characters after parsing. Only the shown text is cut, never the answer that is ordered. */
const shownAnswer = 700
const shownSuggestion = 2000

/** The facts that a card shows besides the draft, most of them about money. */
interface Priced {
  readonly draftId: string
  readonly quoted: Quoted
  /** The price of the words that the video says, which are ordered with it. */
  readonly speech?: Kopecks | undefined
  readonly funds: CardFunds
  /** The amount to top up, offered in place of the order. */
  readonly topUp?: Kopecks | undefined
  /** The prompt, when the model does not accept it, with the reason. */
  readonly unfit?: Unfit | undefined
  /** The hint of the open field. */
  readonly hint?: string
  readonly suggested?: Suggested | undefined
  /** What a text model can suggest, with the prices. */
  readonly suggestions?: readonly Offer[]
}

export function viewCard(card: Card, priced: Priced, say: Say): CardView {
  return {
    html: textOf(card, priced, say),
    keyboard: keyboardOf(card, { ...priced, say, options: card.offers }),
  }
}

function textOf(card: Card, priced: Priced, say: Say): string {
  const sections = [
    titleOf(card.model, say),
    headingOf(card, say),
    suggestedText(card, priced, say),
    [...unfitLines(card, priced, say), ...card.lines.map((line) => lineText(line, card.offers, say))].join(
      '\n',
    ),
    priced.hint ? `<i>${escapeHtml(priced.hint)}</i>` : '',
    priceText(card, priced, say),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const hasOrder = ({ buttons }: Card): boolean => buttons.flat().some(({ to }) => to === 'generate')

/** The suggested text above the user's own words. */
function suggestedText({ page }: Card, { suggested }: Priced, say: Say): string {
  if (page.at !== 'suggestion' || !suggested) return ''
  const text = escapeHtml(cutWithEllipsis(suggested.text, shownSuggestion))
  return `${say.html(`suggested-${suggested.to}`)}\n<blockquote>${text}</blockquote>`
}

/** The heading of the page. The page of a setting has none when the line of its answer names the setting. */
function headingOf({ open, page, lines, buttons }: Card, say: Say): string {
  if (open) return lines.length > 0 ? '' : `<b>${escapeHtml(labelOf(open, say))}</b>`
  if (page.at === 'advanced') return say.html('card-more-settings')
  if (page.at === 'presets') return say.html('card-presets')
  if (page.at !== 'models') return ''
  const offered = buttons.flat().flatMap((button) => (button.to === 'switch' ? [button.model] : []))
  return [say.html('card-models'), ...offered.map((model) => modelLine(model, say))].join('\n')
}

function modelLine(model: Model, say: Say): string {
  const about = aboutModel(model)
  const name = `<b>${escapeHtml(say.label(model.label))}</b>`
  return about ? say.html('guide-model', { name: { html: name }, about: say.label(about) }) : name
}

function lineText({ field, answer }: Line, offers: Card['offers'], say: Say): string {
  const value = answerText(field, answer, say, offers[field.name])
  if (value === '') return `<b>${escapeHtml(labelOf(field, say))}</b>`
  return `${escapeHtml(labelOf(field, say))}: <b>${escapeHtml(cutWithEllipsis(value, shownAnswer))}</b>`
}

/** The prompt that the model does not accept, shown where a complete card shows its prompt. */
function unfitLines({ model, page }: Card, { unfit }: Priced, say: Say): string[] {
  const field = model.fields.find(({ audience }) => audience === 'asked')
  return field && unfit && page.at === 'main' ? [lineText({ field, answer: unfit.words }, {}, say)] : []
}

function priceText(card: Card, { quoted, speech, funds, unfit }: Priced, say: Say): string {
  // Only the main page has buttons that correct the prompt.
  if (unfit)
    return unfitText(card.model, card.page.at === 'main' ? unfit : { ...unfit, offer: undefined }, say)
  if (!quoted.ok) {
    if (quoted.reason === 'files-too-large') {
      return say.html('card-files-too-large', {
        size: megabytes(quoted.bytes),
        most: megabytes(quoted.most),
      })
    }
    if (quoted.reason !== 'incomplete') return say.html(`card-${quoted.reason}`)
    if (!card.missing) return say.html('card-contradiction')
    return say.html('card-incomplete', {
      label: labelOf(card.missing, say),
      how: howToGive(card.missing, funds),
    })
  }
  const { amount: own } = quoted.quote
  const amount = own + (speech ?? 0n)
  const parts =
    speech === undefined
      ? partsText(readParts(quoted.quote.parts), own, say)
      : say.plain('price-with-speech', { own: say.roubles(own), speech: say.roubles(speech) })
  const price = say.html(parts ? 'card-price-of' : 'card-price', { amount: say.roubles(amount), parts })
  return [price, ...(hasOrder(card) ? fundsText(say, funds, amount) : [])].join('\n')
}

function howToGive(missing: Field, { at }: CardFunds): 'write' | 'reply' | 'tap' {
  if (!takesWords(missing)) return 'tap'
  return at === 'group' ? 'reply' : 'write'
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)

interface Shown extends Priced {
  readonly say: Say
  readonly options: Card['offers']
}

function keyboardOf(card: Card, shown: Shown): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  if (card.page.at === 'main' && shown.unfit) addUnfitButtons(keyboard, shown.draftId, shown.unfit, shown.say)
  for (const row of card.buttons) {
    for (const button of row) addButton(keyboard, button, shown)
    keyboard.row()
    if (row.some(({ to }) => to === 'generate')) keyboard.row(...payerButtons(shown)).row()
  }
  return fitted(keyboard)
}

function addButton(keyboard: InlineKeyboard, button: CardButton, shown: Shown): void {
  if (button.to === 'generate') {
    addOrder(keyboard, shown)
    return
  }
  const { text, data } = 'field' in button ? fieldFace(button, shown) : faceOf(button, shown)
  keyboard.text(text, data)
  if (button.to === 'ask' && button.because === 'missing' && !shown.unfit?.offer) keyboard.primary()
}

/** Adds the button that orders, once there is a price; while the balance is too short, it tops up instead. */
function addOrder(keyboard: InlineKeyboard, { draftId, quoted, speech, topUp, say }: Shown): void {
  if (!quoted.ok) return
  if (topUp !== undefined) {
    const text = say.plain('button-top-up', { amount: say.roubles(topUp) })
    return void keyboard.text(text, taps.topUpFor.data({ draftId, amount: topUp })).primary()
  }
  const { id: quoteId } = quoted.quote
  const amount = quoted.quote.amount + (speech ?? 0n)
  const text = say.plain('button-generate', { amount: say.roubles(amount) })
  const data =
    speech === undefined ? taps.generate.data({ quoteId }) : taps.generateSpoken.data({ quoteId, amount })
  keyboard.text(text, data).primary()
}

const plainButtons = {
  advanced: { key: 'button-advanced', tap: taps.openAdvanced },
  models: { key: 'button-model', tap: taps.openModels },
  presets: { key: 'button-presets', tap: taps.openPresets },
  save: { key: 'button-save-preset', tap: taps.savePreset },
  last: { key: 'button-as-last-time', tap: taps.useLast },
  reset: { key: 'button-reset', tap: taps.resetDraft },
  guide: { key: 'button-guide', tap: taps.guide },
  drop: { key: 'button-drop', tap: taps.dropDraft },
} as const satisfies Record<PlainButton, object>

/** What a button says, and what a tap on it carries. */
interface Face {
  readonly text: string
  readonly data: string
}

type FieldButton = Extract<CardButton, { field: Field }>

function fieldFace(button: FieldButton, { draftId, say, options }: Shown): Face {
  const field = button.field.name
  switch (button.to) {
    case 'open': {
      const { page, answer, inLine } = button
      const text = inLine ? editText(button.field, say) : openText(button.field, answer, say, options)
      return { text, data: taps.openField.data({ draftId, field: page }) }
    }
    case 'set': {
      const { page, value } = button
      return { text: setText(button, say), data: taps.setField.data({ draftId, field: page, value }) }
    }
    case 'pick': {
      const text = chosenText(optionText(button.option, say), button.chosen)
      return { text, data: taps.setField.data({ draftId, field, value: pickKey(button.option) }) }
    }
    case 'hear': {
      const data = taps.hearVoice.data({ draftId, field, value: pickKey(button.option) })
      return { text: `▶️ ${say.label(button.option.label)}`, data }
    }
    case 'make':
      return { text: say.plain('button-new-style'), data: taps.makeStyle.data({ draftId, field }) }
    case 'ask':
      return { text: askText(button, say), data: taps.askField.data({ draftId, field }) }
    case 'clear': {
      const text = say.plain(defaultOf(button.field) === undefined ? 'button-remove' : 'button-clear')
      return { text, data: taps.clearField.data({ draftId, field }) }
    }
  }
}

function faceOf(
  button: Exclude<CardButton, FieldButton | { to: 'generate' }>,
  { draftId, say, suggestions = [] }: Shown,
): Face {
  switch (button.to) {
    case 'trial': {
      const text = say.plain('button-trial', { seconds: button.seconds })
      return { text, data: taps.makeTrial.data({ draftId }) }
    }
    case 'preset': {
      const { id: presetId, name } = button.preset
      return { text: `📌 ${name}`, data: taps.usePreset.data({ draftId, presetId }) }
    }
    case 'switch': {
      const data = taps.switchModel.data({ draftId, modelId: button.model.id })
      return { text: chosenText(modelText(button, say), button.chosen), data }
    }
    case 'back': {
      const to = button.at === 'advanced' ? taps.openAdvanced : taps.openMain
      return { text: say.plain('button-back'), data: to.data({ draftId }) }
    }
    case 'suggest': {
      const offer = suggestions.find(({ rewriting }) => rewriting.to === button.as)
      const data = taps.suggest.data({ draftId, rewriting: button.as })
      return { text: offer ? offerText(offer, say) : '', data }
    }
    case 'suggested': {
      const { act } = button
      const data = act === 'leave' ? taps.openMain.data({ draftId }) : taps.suggested.data({ draftId, act })
      return { text: say.plain(`suggested-${act}`), data }
    }
    default: {
      const { key, tap } = plainButtons[button.to]
      return { text: say.plain(key), data: tap.data({ draftId }) }
    }
  }
}

function openText(field: Field, answer: Answer | undefined, say: Say, offers: Card['offers'] = {}): string {
  const value = answerText(field, answer, say, offers[field.name])
  return labelled(field, cutWithEllipsis(value, buttonAnswer), say)
}

export const chosenText = (text: string, chosen: boolean): string => (chosen ? `● ${text}` : text)

function modelText({ model, amount }: Sibling, say: Say): string {
  const price = amount === undefined ? '' : ` · ${say.roubles(amount)}`
  const name = say.label(model.label) + price
  const isEnglishOnly = promptField(model)?.misfit?.('я')?.reason === 'needs-english'
  return isEnglishOnly ? say.plain('model-english-only', { name }) : name
}

function setText({ field, value, chosen }: Extract<CardButton, { to: 'set' }>, say: Say): string {
  if (field.kind === 'toggle') return openText(field, chosen, say)
  return chosenText(answerText(field, field.kind === 'number' ? Number(value) : value, say), chosen)
}

function askText({ field, because }: Extract<CardButton, { to: 'ask' }>, say: Say): string {
  if (because === 'other') return say.plain('button-other')
  if (because === 'more') return say.plain('button-more-files')
  return editText(field, say)
}

const editText = (field: Field, say: Say): string =>
  `${field.kind === 'media' ? '📎' : '✏️'} ${labelOf(field, say)}`

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

export const aboutModel = ({ id }: Pick<Model, 'id'>): Label | undefined => lines[variantOf(id) ?? id]
