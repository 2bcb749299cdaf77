// A card as HTML and an inline keyboard within Telegram's limits.

import type { InlineKeyboard } from 'grammy'
import type { Field } from '../../catalog/field.ts'
import { readParts } from '../../catalog/price.ts'
import { takesWords } from '../../form/answer.ts'
import type { Card, Line } from '../../form/card.ts'
import type { Quoted } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import { cutWithEllipsis } from '../../runtime/cut-text.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { type CardFunds, fundsText } from '../groups/card-funds.ts'
import { answerText, labelOf } from './answer-text.ts'
import { keyboardOf } from './card-keyboard.ts'
import { partsText } from './price-view.ts'
import { type Unfit, unfitText } from './unfit.ts'

export interface CardView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A message has at most 4096 characters after parsing. Only the shown text is cut, never the answer that is ordered. */
const shownAnswer = 700

/** The facts that a card shows besides the draft, most of them about money. */
interface Priced {
  readonly draftId: string
  readonly quoted: Quoted
  readonly funds: CardFunds
  /** The amount to top up, offered in place of the order. */
  readonly topUp?: Kopecks | undefined
  /** The prompt, when the model does not accept it, with the reason. */
  readonly unfit?: Unfit | undefined
  /** The hint of the open field. */
  readonly hint?: string
}

export function viewCard(card: Card, priced: Priced, say: Say): CardView {
  return {
    html: textOf(card, priced, say),
    keyboard: keyboardOf(card, { ...priced, say, offers: card.offers }),
  }
}

function textOf(card: Card, priced: Priced, say: Say): string {
  const labels = card.unreachable.map((field) => say.label(field.label)).join(', ')
  const sections = [
    say.html('card-title', { command: card.model.commands[0], name: say.label(card.model.label) }),
    headingOf(card, say),
    [...unfitLines(card, priced, say), ...card.lines.map((line) => lineText(line, card.offers, say))].join(
      '\n',
    ),
    ...(labels ? [say.html('card-unreachable', { labels })] : []),
    priced.hint ? `<i>${escapeHtml(priced.hint)}</i>` : '',
    priceText(card, priced, say),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const hasOrder = ({ buttons }: Card): boolean => buttons.flat().some(({ to }) => to === 'generate')

/** The heading of the page. The page of a setting has none when the line of its answer names the setting. */
function headingOf({ open, page, lines }: Card, say: Say): string {
  if (open) return lines.length > 0 ? '' : `<b>${escapeHtml(labelOf(open, say))}</b>`
  if (page.at === 'advanced') return say.html('card-more-settings')
  if (page.at === 'presets') return say.html('card-presets')
  return page.at === 'models' ? say.html('card-models') : ''
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

function priceText(card: Card, { quoted, funds, unfit }: Priced, say: Say): string {
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
  const { amount } = quoted.quote
  const parts = partsText(readParts(quoted.quote.parts), amount, say)
  const price = say.html(parts ? 'card-price-of' : 'card-price', { amount: say.roubles(amount), parts })
  return [price, ...(hasOrder(card) ? fundsText(say, funds, amount) : [])].join('\n')
}

function howToGive(missing: Field, { at }: CardFunds): 'write' | 'reply' | 'tap' {
  if (!takesWords(missing)) return 'tap'
  return at === 'group' ? 'reply' : 'write'
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)
