// The price of an order with the answers so far, and with each option of a field; the hint of a field, which can name these prices.

import type { Answer, Answers, Field } from '../../catalog/field.ts'
import { fitAnswers } from '../../form/fit.ts'
import type { Drawn } from '../../form/page.ts'
import type { Kopecks } from '../../money.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

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
