// The buttons under results and failures. Two or three are shown at first; the others open in their place
// (bot/cards/follow-ups.ts).

import { InlineKeyboard } from 'grammy'
import { mayReport } from '../generations/generation.ts'
import { fitted, taps } from '../telegram/taps.ts'
import type { Subject } from './job.ts'

type Ordered = Pick<Subject, 'say' | 'generation' | 'priceNow'>

/** The buttons below a message about an order without a result. */
export function againKeyboard(ordered: Ordered): InlineKeyboard {
  const { say, generation } = ordered
  const keyboard = againButton(ordered)
  keyboard.text(say.plain('button-change'), taps.orderChanged.data({ generationId: generation.id }))
  return fitted(keyboard)
}

export function resultKeyboard(ordered: Ordered): InlineKeyboard {
  const { say, generation } = ordered
  const { id: generationId } = generation
  const keyboard = againButton(ordered).row()
  keyboard.text(say.plain('button-next'), taps.moreOfResult.data({ generationId }))
  if (mayReport(generation)) keyboard.text(say.plain('button-problem'), taps.problemOf.data({ generationId }))
  return keyboard
}

/** A button with a price orders at once. Without a price the button opens a card, which says why the order cannot be repeated. */
function againButton({ say, generation: { id: generationId }, priceNow }: Ordered): InlineKeyboard {
  const price = priceNow()
  if (price === undefined || price <= 0n) {
    return new InlineKeyboard().text(say.plain('button-again'), taps.orderAgain.data({ generationId }))
  }
  const label = say.plain('button-again-for', { amount: say.roubles(price) })
  return new InlineKeyboard().text(label, taps.orderAtOnce.data({ generationId, amount: price }))
}
