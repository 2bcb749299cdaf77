// A card as HTML and an inline keyboard within Telegram's limits.

import type { InlineKeyboard } from 'grammy'
import { readParts } from '../../catalog/price.ts'
import type { Card, Line } from '../../form/card.ts'
import type { Quoted } from '../../generations/quotes.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { answerText } from './answer-text.ts'
import { keyboardOf, type Purse } from './card-keyboard.ts'
import { partsText } from './price-view.ts'

export interface CardView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A message has at most 4096 characters after parsing. Only the shown text is cut, never the answer that is ordered. */
const shownAnswer = 700

/** @param purse undefined in a group, which does not see the balance of its members */
export function viewCard(
  card: Card,
  draftId: string,
  quoted: Quoted,
  purse: Purse | undefined,
  say: Say,
): CardView {
  return {
    html: textOf(card, quoted, purse, say),
    keyboard: keyboardOf(card, { draftId, quoted, purse, say, offers: card.offers }),
  }
}

function textOf(card: Card, quoted: Quoted, purse: Purse | undefined, say: Say): string {
  const labels = card.unreachable.map((field) => say.label(field.label)).join(', ')
  const sections = [
    say.html('card-title', { command: card.model.commands[0], name: say.label(card.model.label) }),
    headingOf(card, say),
    card.lines.map((line) => lineText(line, card.offers, say)).join('\n'),
    ...(labels ? [say.html('card-unreachable', { labels })] : []),
    ...(card.open?.hint ? [`<i>${escapeHtml(say.label(card.open.hint))}</i>`] : []),
    priceText(card, quoted, hasOrder(card) ? purse : undefined, say),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const hasOrder = ({ buttons }: Card): boolean => buttons.flat().some(({ to }) => to === 'generate')

/** What the page is about; a line of its answer says it too. */
function headingOf({ open, page, lines }: Card, say: Say): string {
  if (open) return lines.length > 0 ? '' : `<b>${escapeHtml(say.label(open.label))}</b>`
  if (page.at === 'advanced') return say.html('card-more-settings')
  return page.at === 'models' ? say.html('card-models') : ''
}

function lineText({ field, answer }: Line, offers: Card['offers'], say: Say): string {
  const value = answerText(field, answer, say, offers[field.name])
  return `${escapeHtml(say.label(field.label))}: <b>${escapeHtml(shorten(value))}</b>`
}

function shorten(text: string): string {
  const points = [...text]
  return points.length > shownAnswer ? `${points.slice(0, shownAnswer).join('')}…` : text
}

function priceText(card: Card, quoted: Quoted, purse: Purse | undefined, say: Say): string {
  if (!quoted.ok) {
    if (quoted.reason === 'files-too-large') {
      return say.html('card-files-too-large', {
        size: megabytes(quoted.bytes),
        most: megabytes(quoted.most),
      })
    }
    if (quoted.reason !== 'incomplete') return say.html(`card-${quoted.reason}`)
    if (!card.missing) return say.html('card-contradiction')
    return say.html('card-incomplete', { label: say.label(card.missing.label) })
  }
  const { amount } = quoted.quote
  const parts = partsText(readParts(quoted.quote.parts), amount, say)
  const price = say.html(parts ? 'card-price-of' : 'card-price', { amount: say.roubles(amount), parts })
  return purse ? `${price}\n${purseText(purse, amount, say)}` : price
}

function purseText({ available }: Purse, amount: bigint, say: Say): string {
  const balance = say.html('card-balance', { available: say.roubles(available) })
  const missing = amount - available
  return missing > 0n ? `${balance}\n${say.html('card-missing', { missing: say.roubles(missing) })}` : balance
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)
