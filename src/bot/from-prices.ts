// The model whose card opens for a kind, and the price on that card: on the buttons that choose what to make, and how far a balance goes.

import { type Command, type Model, minimalAnswers, variantOf } from '../catalog/model.ts'
import { amountOf, type Price } from '../catalog/price.ts'
import { promptField } from '../form/fit.ts'
import type { Kopecks } from '../money.ts'
import { readHistory } from '../orders/history.ts'
import { datesOf, type Say } from '../texts.ts'
import type { User } from '../users/user.ts'
import { parametersIn } from './cards/parameters.ts'
import { readOnSale } from './commands.ts'
import type { BotDeps, Ctx } from './context.ts'

/** The models in the order in which they are tried: the first one opens, if it takes the files. It can be chosen in /settings. */
export async function usualFirst(
  { db }: BotDeps,
  { id, cardDefaults }: Pick<User, 'id' | 'cardDefaults'>,
  command: Command,
  offered: readonly Model[],
): Promise<readonly Model[]> {
  const last = await lastVariant(db, id, offered)
  const rank = (model: Model) => (model.id === cardDefaults[command]?.model ? 0 : model.id === last ? 1 : 2)
  return offered.toSorted((a, b) => rank(a) - rank(b))
}

/** The variant of the first offered model that the user ordered last. */
async function lastVariant(
  db: BotDeps['db'],
  userId: bigint,
  offered: readonly Model[],
): Promise<string | undefined> {
  const [first] = offered
  const baseOf = ({ id }: Model) => variantOf(id) ?? id
  const variants = offered.filter((model) => first && baseOf(model) === baseOf(first))
  if (variants.length < 2) return undefined
  const { entries } = await readHistory({ db }, userId, 0, { modelIds: variants.map(({ id }) => id) })
  return entries[0]?.modelId
}

/** The price on the card that opens with these words; without words, or if the model does not take them, with the shortest prompt. */
export function cardPrice({ catalog, texts }: BotDeps, model: Model, typed = ''): Kopecks | undefined {
  const { words, answers } = parametersIn(texts, model, {}, typed)
  const prompt = promptField(model)
  const own = prompt && words ? catalog.priceWith(model, { ...answers, [prompt.name]: words }) : undefined
  const usual = own ? undefined : catalog.priceWith(model, minimalAnswers(model))
  return own?.amount ?? (usual && usualCharacters(usual))
}

/** What is paid by the character costs at least as much as a usual text. */
export const usualCharacters = (price: Price): Kopecks =>
  price.unit === 'character' ? amountOf({ ...price, quantity: 1000, count: 1 }) : price.amount

/**
 * The label of a button that chooses what to make: `🖼 Picture: ₽5`. Whole roubles leave room for two buttons in a row on any phone.
 * @param isAlone the button has its row for itself: `🖼 Picture · ₽5.28`
 */
export function kindButton(
  say: Say,
  kind: Command | 'chat',
  amount: Kopecks | undefined,
  isAlone = false,
): string {
  const name = say.plain(`begin-${kind}`)
  if (amount === undefined) return name
  if (isAlone) return `${name} · ${say.roubles(amount)}`
  return `${name}: ${amount < 100n ? `<${say.roubles(100n)}` : say.roubles(((amount + 50n) / 100n) * 100n)}`
}

/** How many usual pictures or videos an amount pays for: `94 pictures or 5 videos`; undefined when it pays for neither. */
export async function enoughFor(
  deps: BotDeps,
  { say, user }: Pick<Ctx, 'say' | 'user'>,
  available: Kopecks,
): Promise<string | undefined> {
  const onSale = await readOnSale(deps)
  const things: string[] = []
  for (const command of ['image', 'video'] as const) {
    const [model] = await usualFirst(deps, user, command, onSale.models(command))
    const amount = model && cardPrice(deps, model)
    const count = amount ? Number(available / amount) : 0
    if (count > 0) things.push(say.plain(`enough-${command}`, { count }))
  }
  const list = new Intl.ListFormat(datesOf(say.locale), { type: 'disjunction' })
  return things.length > 0 ? list.format(things) : undefined
}
