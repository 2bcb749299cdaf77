// What things cost at least: on the buttons that choose what to make, in /prices, and how far a balance goes.

import type { Catalog } from '../catalog/catalog.ts'
import { type Answer, type Answers, type Field, isUserField } from '../catalog/field.ts'
import { type Command, type Model, minimalAnswers } from '../catalog/model.ts'
import { amountOf, type Price } from '../catalog/price.ts'
import { fitAnswers, possibleOptions } from '../form/fit.ts'
import type { Kopecks } from '../money.ts'
import { datesOf, type Say } from '../texts.ts'
import { readOnSale } from './commands.ts'
import type { BotDeps } from './context.ts'

/**
 * The price of the cheapest order. The settings multiply or add to the price, so each can be chosen for itself.
 * @param given the answers that stay as they are; by default the shortest prompt
 */
export function leastPrice(catalog: Catalog, model: Model, given = minimalAnswers(model)): Price | undefined {
  let answers = given
  let least = catalog.priceWith(model, answers)
  for (const field of model.fields.filter(isUserField)) {
    if (given[field.name] !== undefined) continue
    for (const answer of choicesOf(model, field, answers)) {
      const other = fitAnswers(model, { ...answers, [field.name]: answer }, field.name)
      const price = catalog.priceWith(model, other)
      if (price && (!least || price.amount < least.amount)) [least, answers] = [price, other]
    }
  }
  return least
}

function choicesOf(model: Model, field: Field, answers: Answers): readonly Answer[] {
  if (field.kind === 'choice') return possibleOptions(model, field, answers).map(({ value }) => value)
  if (field.kind === 'number') return [field.min]
  return field.kind === 'toggle' ? [!field.default] : []
}

/** What is paid by the character costs at least as much as a usual text. */
export const usualCharacters = (price: Price): Kopecks =>
  price.unit === 'character' ? amountOf({ ...price, quantity: 1000, count: 1 }) : price.amount

/**
 * The label of a button that chooses what to make: `🖼 Picture · ₽5`. Whole roubles leave room for two buttons in a row on any phone.
 * @param isAlone the button has its row for itself: `🖼 Picture · from ₽5.28`
 */
export function kindButton(
  say: Say,
  kind: Command | 'chat',
  least: Kopecks | undefined,
  isAlone = false,
): string {
  const name = say.plain(`begin-${kind}`)
  if (least === undefined) return name
  if (isAlone) return `${name} · ${fromText(say, least)}`
  return `${name} · ${least < 100n ? `<${say.roubles(100n)}` : say.roubles(((least + 50n) / 100n) * 100n)}`
}

export const fromText = (say: Say, least: Kopecks): string =>
  say.plain('price-from', { amount: say.roubles(least) })

/** How many usual pictures or videos an amount pays for: `94 pictures or 5 videos`; undefined when it pays for neither. */
export async function enoughFor(deps: BotDeps, say: Say, available: Kopecks): Promise<string | undefined> {
  const onSale = await readOnSale(deps)
  const things = (['image', 'video'] as const).flatMap((command) => {
    const [model] = onSale.models(command)
    const amount = model && deps.catalog.priceWith(model, minimalAnswers(model))?.amount
    const count = amount ? Number(available / amount) : 0
    return count > 0 ? [say.plain(`enough-${command}`, { count })] : []
  })
  const list = new Intl.ListFormat(datesOf(say.locale), { type: 'disjunction' })
  return things.length > 0 ? list.format(things) : undefined
}
