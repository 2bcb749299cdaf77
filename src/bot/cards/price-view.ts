// The parts of a price as text. The shown parts add up to exactly the amount; a rounded amount and a minimum are marked as such.

import type { Answer, Answers, Field } from '../../catalog/field.ts'
import { exactAddition, exactAmount, type PriceParts } from '../../catalog/price.ts'
import { fitAnswers } from '../../form/fit.ts'
import type { Drawn } from '../../form/page.ts'
import { ceilKopecks, decimal, type Kopecks, times } from '../../money.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

/**
 * The parts as text: `5 s × 18,49 ₽ × 2 + 4k 50,00 ₽`, with the margin inside the rate, or only `minimum for 1,000 characters`.
 * @returns an empty text when the amount is the only part, or the least that can be charged
 */
export function partsText(parts: PriceParts, amount: Kopecks, say: Say): string {
  const { rate, quantity, isMinimum, count, rounding, surcharges } = parts
  const exact = exactAmount(parts)
  const isRounded = exact.num * 100n !== amount * exact.den
  const least = ceilKopecks(decimal(rounding))
  const isPlain = count === 1 && surcharges.length === 0
  if (isPlain && isRounded && amount === least) return ''
  const isAlone = isPlain && !isRounded
  if (isAlone && isMinimum) return minimumText(parts, say)
  if (isAlone && quantity === 1 && rate.per === 1) return ''
  const step = say.roubles(least)
  const minimum = isMinimum ? `, ${minimumText(parts, say)}` : ''
  const rounded = isRounded ? say.plain('price-rounded', { step }) : ''
  return `${baseText(parts, say)}${additions(parts, say)}${minimum}${rounded}`
}

const minimumText = ({ unit, quantity }: PriceParts, say: Say): string =>
  say.plain(`price-minimum-${unit}`, { quantity })

function baseText(parts: PriceParts, say: Say): string {
  const { count, surcharges } = parts
  const factors = surcharges.filter((one) => !isOne(one.multiplier))
  const shown = factors.map((one) => ` × ${say.decimal(one.multiplier)} (${say.label(one.label)})`)
  return `${quantityText(parts, say)}${count > 1 ? ` × ${count}` : ''}${shown.join('')}`
}

/** The quantity and its rate; for a minimum only the price, since its quantity is shown beside it. */
function quantityText({ rate, multiplier, quantity, isMinimum, unit }: PriceParts, say: Say): string {
  const roubles = times(decimal(rate.roubles), decimal(multiplier))
  if (isMinimum) return say.rate(times(roubles, decimal(quantity), { num: 1n, den: BigInt(rate.per) }))
  return say.plain(`price-${unit}`, {
    quantity: say.number(quantity),
    rate: say.rate(roubles),
    per: say.number(rate.per),
  })
}

const isOne = (value: string): boolean => decimal(value).num === decimal(value).den

function additions(parts: PriceParts, say: Say): string {
  const added = parts.surcharges.map((one) => ({ label: one.label, roubles: exactAddition(parts, one) }))
  return added
    .filter(({ roubles }) => roubles.num > 0n)
    .map(({ label, roubles }) => ` + ${say.label(label)} ${say.rate(roubles)}`)
    .join('')
}

// The price of an order with the answers so far, and with each option of a field; the hint of a field, which can name these prices.

type Deps = Pick<BotDeps, 'catalog'>
type Answered = Pick<Drawn, 'model' | 'answers'>

/** @returns undefined while the answers make no complete request, or no price is known */
export function amountOf({ catalog }: Deps, { model }: Answered, answers: Answers): Kopecks | undefined {
  const request = catalog.request(model, answers)
  return request && catalog.price(model, request)?.amount
}

/** The price of each option; empty when they all cost the same. */
export function pricesOf(
  deps: Deps,
  drawn: Answered,
  field: Field,
  options: readonly Answer[],
): ReadonlyMap<Answer, Kopecks> {
  const priced = options.flatMap((option): [Answer, Kopecks][] => {
    const answers = fitAnswers(drawn.model, { ...drawn.answers, [field.name]: option }, field.name)
    const amount = amountOf(deps, drawn, answers)
    return amount === undefined ? [] : [[option, amount]]
  })
  return new Map(new Set(priced.map(([, amount]) => amount)).size > 1 ? priced : [])
}

/** The hint of a field; empty without one. */
export function hintText(deps: Deps, drawn: Answered, field: Field, say: Say): string {
  if (field.kind === 'choice' && field.pricedHint) {
    const options = field.options.map(({ value }) => value)
    const prices = [...pricesOf(deps, drawn, field, options).values()].toSorted((a, b) => Number(a - b))
    const [least, most] = [prices[0], prices.at(-1)]
    if (least !== undefined && most !== undefined)
      return say.plain(field.pricedHint, { least: say.roubles(least), most: say.roubles(most) })
  }
  return field.hint ? say.label(field.hint) : ''
}
