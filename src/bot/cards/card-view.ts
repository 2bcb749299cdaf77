// A card as HTML and an inline keyboard within Telegram's limits.

import { InlineKeyboard } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import { type Answer, defaultOf, type Field, type Option } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { readParts } from '../../catalog/price.ts'
import { listOf } from '../../form/answer.ts'
import { type Card, type CardButton, type Line, pickKey } from '../../form/card.ts'
import type { Quoted } from '../../generations/quotes.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { type Purse, payerButtons, purseText } from '../groups/purse.ts'
import { partsText } from './price-view.ts'

export interface CardView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A message has at most 4096 characters after parsing. Only the shown text is cut, never the answer that is ordered. */
const shownAnswer = 700
const buttonAnswer = 24

export function viewCard(card: Card, draftId: string, quoted: Quoted, purse: Purse, say: Say): CardView {
  return {
    html: textOf(card, quoted, purse, say),
    keyboard: keyboardOf(card, draftId, quoted, purse, say),
  }
}

function textOf(card: Card, quoted: Quoted, purse: Purse, say: Say): string {
  const lines = card.lines.map((line) => lineText(line, card.offers, say))
  const open = card.page.at === 'field' ? fieldOf(card.model, card.page.name) : undefined
  const hint = open?.hint ? [`<i>${escapeHtml(say.label(open.hint))}</i>`] : []
  const title = say.html('card-title', { command: card.model.commands[0], name: say.label(card.model.label) })
  const labels = card.unreachable.map((field) => say.label(field.label)).join(', ')
  const unreachable = labels ? [say.html('card-unreachable', { labels })] : []
  return [title, lines.join('\n'), ...unreachable, ...hint, ...priceText(card, quoted, purse, say)].join(
    '\n\n',
  )
}

const fieldOf = (model: Model, name: string) => model.fields.find((field) => field.name === name)

function lineText({ field, answer }: Line, offers: Card['offers'], say: Say): string {
  const value = answerText(field, answer, say, offers[field.name])
  return `${escapeHtml(say.label(field.label))}: <b>${escapeHtml(shorten(value))}</b>`
}

function shorten(text: string): string {
  const points = [...text]
  return points.length > shownAnswer ? `${points.slice(0, shownAnswer).join('')}…` : text
}

/** @param offers options of a text field; their labels are shown in place of their values */
function answerText(
  field: Field,
  answer: Answer | undefined,
  say: Say,
  offers: readonly Option[] = [],
): string {
  if (answer === undefined) return say.plain('answer-none')
  switch (field.kind) {
    case 'toggle':
      return say.plain(answer ? 'answer-on' : 'answer-off')
    case 'choice':
      return labelOf(field.options, String(answer), say)
    case 'number':
      return field.unit ? `${answer} ${say.label(field.unit)}` : String(answer)
    case 'text': {
      const values = field.many ? listOf(answer) : [String(answer)]
      return values.map((value) => labelOf(offers, value, say)).join(', ')
    }
    case 'media':
      return Array.isArray(answer) ? filesText(answer, say) : ''
  }
}

function labelOf(options: readonly Option[], value: string, say: Say): string {
  const option = options.find((one) => one.value === value)
  return option ? say.label(option.label) : value
}

/** `2 × 🖼`, `🖼 @cat, 🖼 @dog, 🎵 @dog` */
function filesText(files: readonly Attachment[], say: Say): string {
  const named = files.map(({ medium, note }) =>
    [say.plain(`medium-${medium}`), ...(note ? [noteText(note, say)] : [])].join(' '),
  )
  return [...Map.groupBy(named, (text) => text)]
    .map(([text, same]) => (same.length > 1 ? `${same.length} × ${text}` : text))
    .join(', ')
}

function noteText(note: string, say: Say): string {
  return note === 'first' || note === 'last' ? say.plain(`frame-${note}`) : note
}

function priceText(card: Card, quoted: Quoted, purse: Purse, say: Say): string[] {
  if (!quoted.ok) {
    if (quoted.reason === 'files-too-large') {
      return [
        say.html('card-files-too-large', { size: megabytes(quoted.bytes), most: megabytes(quoted.most) }),
      ]
    }
    if (quoted.reason !== 'incomplete') return [say.html(`card-${quoted.reason}`)]
    if (!card.missing) return [say.html('card-contradiction')]
    return [say.html('card-incomplete', { label: say.label(card.missing.label) })]
  }
  const { amount } = quoted.quote
  const parts = partsText(readParts(quoted.quote.parts), amount, say)
  const price = say.html(parts ? 'card-price-of' : 'card-price', { amount: say.roubles(amount), parts })
  return [[price, ...purseText(say, purse, amount)].join('\n')]
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)

interface Shown {
  readonly draftId: string
  readonly quoted: Quoted
  readonly say: Say
  readonly offers: Card['offers']
}

function keyboardOf(
  card: Card,
  draftId: string,
  quoted: Quoted,
  purse: Purse,
  say: Say,
): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const row of card.buttons) {
    if (row.some(({ to }) => to === 'generate')) keyboard.row(...payerButtons(say, draftId, purse)).row()
    for (const button of row) addButton(keyboard, button, { draftId, quoted, say, offers: card.offers })
    keyboard.row()
  }
  return keyboard
}

/** The button that orders is left out until there is a price. */
function addButton(keyboard: InlineKeyboard, button: CardButton, shown: Shown): void {
  if (button.to !== 'generate') {
    return void keyboard.text(buttonText(button, shown), dataOf(button, shown))
  }
  const { quoted, say } = shown
  if (!quoted.ok) return
  const { id: quoteId, amount } = quoted.quote
  const text = say.plain('button-generate', { amount: say.roubles(amount) })
  keyboard.text(text, taps.generate.data({ quoteId })).success()
}

type FreeButton = Exclude<CardButton, { to: 'generate' }>

function dataOf(button: FreeButton, { draftId }: Shown): string {
  switch (button.to) {
    case 'open':
      return taps.openField.data({ draftId, field: button.field.name })
    case 'set':
      return taps.setField.data({ draftId, field: button.field.name, value: button.value })
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
    case 'models':
      return taps.openModels.data({ draftId })
    case 'switch':
      return taps.switchModel.data({ draftId, modelId: button.model.id })
    case 'back':
      return taps.openMain.data({ draftId })
    case 'drop':
      return taps.dropDraft.data({ draftId })
  }
}

function buttonText(button: FreeButton, { say, offers }: Shown): string {
  switch (button.to) {
    case 'open':
      return openText(button.field, button.answer, say, offers)
    case 'set':
      return setText(button, say)
    case 'pick':
      return pickText(button, say)
    case 'make':
      return say.plain('button-new-style')
    case 'ask':
      return askText(button, say)
    case 'clear':
      return say.plain(defaultOf(button.field) === undefined ? 'button-remove' : 'button-clear')
    case 'advanced':
      return say.plain('button-advanced')
    case 'models':
      return say.plain('button-models', { name: say.label(button.model.label) })
    case 'switch':
      return switchText(button, say)
    case 'back':
      return say.plain('button-back')
    case 'drop':
      return say.plain('button-drop')
  }
}

function openText(field: Field, answer: Answer | undefined, say: Say, offers: Card['offers'] = {}): string {
  const value = answerText(field, answer, say, offers[field.name])
  const points = [...value]
  const shown = points.length > buttonAnswer ? `${points.slice(0, buttonAnswer).join('')}…` : value
  return `${say.label(field.label)}: ${shown}`
}

function pickText({ option, chosen }: Extract<CardButton, { to: 'pick' }>, say: Say): string {
  return chosen ? `● ${say.label(option.label)}` : say.label(option.label)
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
  return `${field.kind === 'media' ? '📎' : '✏️'} ${say.label(field.label)}`
}
