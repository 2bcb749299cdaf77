// A card in words and buttons: HTML and an inline keyboard that fit Telegram's limits.

import { InlineKeyboard } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import type { Answer, Field, Option } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { readParts } from '../../catalog/price.ts'
import { listOf } from '../../form/answer.ts'
import { type Card, type CardButton, type Line, pickKey } from '../../form/card.ts'
import type { Quoted } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { partsText } from './price-view.ts'

export interface CardView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** Telegram's limit is 4096 after parsing; a long prompt is cut for show, never for the order. */
const shownAnswer = 700
const buttonAnswer = 24

export function viewCard(
  card: Card,
  draftId: string,
  quoted: Quoted,
  available: Kopecks,
  say: Say,
): CardView {
  return { html: textOf(card, quoted, available, say), keyboard: keyboardOf(card, draftId, quoted, say) }
}

function textOf(card: Card, quoted: Quoted, available: Kopecks, say: Say): string {
  const lines = card.lines.map((line) => lineText(line, card.offers, say))
  const open = card.page.at === 'field' ? fieldOf(card.model, card.page.name) : undefined
  const hint = open?.hint ? [`<i>${escapeHtml(say.label(open.hint))}</i>`] : []
  const title = say.html('card-title', { command: card.model.commands[0], name: say.label(card.model.label) })
  const labels = card.unreachable.map((field) => say.label(field.label)).join(', ')
  const unreachable = labels ? [say.html('card-unreachable', { labels })] : []
  return [title, lines.join('\n'), ...unreachable, ...hint, ...priceText(card, quoted, available, say)].join(
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

/** @param offers the options of a text, whose labels are shown in place of their values */
export function answerText(
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

function priceText(card: Card, quoted: Quoted, available: Kopecks, say: Say): string[] {
  if (!quoted.ok) {
    if (quoted.reason !== 'incomplete') return [say.html(`card-${quoted.reason}`)]
    if (!card.missing) return [say.html('card-contradiction')]
    return [say.html('card-incomplete', { label: say.label(card.missing.label) })]
  }
  const { amount } = quoted.quote
  const parts = partsText(readParts(quoted.quote.parts), amount, say)
  const price = say.html(parts ? 'card-price-of' : 'card-price', { amount: say.roubles(amount), parts })
  const balance = say.html('card-balance', { available: say.roubles(available) })
  const missing = amount - available
  const short = missing > 0n ? [say.html('card-missing', { missing: say.roubles(missing) })] : []
  return [[price, balance, ...short].join('\n')]
}

function keyboardOf(card: Card, draftId: string, quoted: Quoted, say: Say): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const row of card.buttons) {
    for (const button of row) addButton(keyboard, button, { draftId, quoted, say, offers: card.offers })
    keyboard.row()
  }
  return keyboard
}

interface Shown {
  readonly draftId: string
  readonly quoted: Quoted
  readonly say: Say
  readonly offers: Card['offers']
}

function addButton(
  keyboard: InlineKeyboard,
  button: CardButton,
  { draftId, quoted, say, offers }: Shown,
): void {
  const tap = (verb: string) => `c:${draftId}:${verb}`
  switch (button.to) {
    case 'open':
      return void keyboard.text(
        openText(button.field, button.answer, say, offers),
        tap(`o:${button.field.name}`),
      )
    case 'set':
      return void keyboard.text(setText(button, say), tap(`s:${button.field.name}:${button.value}`))
    case 'pick':
      return void keyboard.text(
        pickText(button, say),
        tap(`s:${button.field.name}:${pickKey(button.option)}`),
      )
    case 'make':
      return void keyboard.text(say.plain('button-new-style'), tap(`y:${button.field.name}`))
    case 'ask':
      return void keyboard.text(askText(button, say), tap(`a:${button.field.name}`))
    case 'clear':
      return void keyboard.text(say.plain('button-clear'), tap(`x:${button.field.name}`))
    case 'advanced':
      return void keyboard.text(say.plain('button-advanced'), tap('v'))
    case 'models':
      return void keyboard.text(say.plain('button-models', { name: say.label(button.model.label) }), tap('n'))
    case 'switch':
      return void keyboard.text(switchText(button, say), tap(`m:${button.model.id}`))
    case 'back':
      return void keyboard.text(say.plain('button-back'), tap('b'))
    case 'drop':
      return void keyboard.text(say.plain('button-drop'), tap('d'))
    case 'generate':
      if (!quoted.ok) return
      return void keyboard
        .text(
          say.plain('button-generate', { amount: say.roubles(quoted.quote.amount) }),
          `q:${quoted.quote.id}`,
        )
        .success()
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
