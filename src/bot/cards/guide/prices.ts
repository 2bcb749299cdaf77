// The price of an order with the answers so far, and with each option of a step.

import type { Answer, Answers, Field } from '../../../catalog/field.ts'
import { fitAnswers } from '../../../form/fit.ts'
import type { Drawn } from '../../../form/page.ts'
import type { Kopecks } from '../../../money.ts'
import type { BotDeps } from '../../context.ts'

type Deps = Pick<BotDeps, 'catalog'>

/** @returns undefined while the answers make no complete request, or no price is known */
export function amountOf({ catalog }: Deps, { model }: Drawn, answers: Answers): Kopecks | undefined {
  const request = catalog.request(model, answers)
  return request && catalog.price(model, request)?.amount
}

/** The price of each option; empty when they all cost the same. */
export function pricesOf(
  deps: Deps,
  drawn: Drawn,
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
