// The parts of a price in words. The shown parts give exactly the amount; a rounded amount says so.

import { exactAddition, exactAmount, type PriceParts } from '../../catalog/price.ts'
import { ceilKopecks, decimal, type Kopecks, times } from '../../money.ts'
import type { Say } from '../../texts.ts'

/** `5 s × 18,49 ₽ × 2 + 4k 50,00 ₽`, with the margin inside the rate; empty when the amount is the only part. */
export function partsText(parts: PriceParts, amount: Kopecks, say: Say): string {
  const { rate, quantity, count, rounding, surcharges } = parts
  const exact = exactAmount(parts)
  const isRounded = exact.num * 100n !== amount * exact.den
  const isPlain = quantity === 1 && count === 1 && rate.per === 1 && surcharges.length === 0
  if (isPlain && !isRounded) return ''
  const step = say.roubles(ceilKopecks(decimal(rounding)))
  const note = isRounded ? say.plain('price-rounded', { step }) : ''
  return `${baseText(parts, say)}${additions(parts, say)}${note}`
}

function baseText({ rate, multiplier, quantity, count, unit, surcharges }: PriceParts, say: Say): string {
  const base = say.plain(`price-${unit}`, {
    quantity: say.decimal(String(quantity)),
    rate: say.rate(times(decimal(rate.roubles), decimal(multiplier))),
    per: say.whole(rate.per),
  })
  const factors = surcharges.filter((one) => !isOne(one.multiplier))
  const shown = factors.map((one) => ` × ${say.decimal(one.multiplier)} (${say.label(one.label)})`)
  return `${base}${count > 1 ? ` × ${count}` : ''}${shown.join('')}`
}

const isOne = (value: string): boolean => decimal(value).num === decimal(value).den

function additions(parts: PriceParts, say: Say): string {
  const added = parts.surcharges.map((one) => ({ label: one.label, roubles: exactAddition(parts, one) }))
  return added
    .filter(({ roubles }) => roubles.num > 0n)
    .map(({ label, roubles }) => ` + ${say.label(label)} ${say.rate(roubles)}`)
    .join('')
}
