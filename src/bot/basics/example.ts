// The example in /start: an order with a ready prompt. Its button shows the price, and a tap on it orders.

import type { Answers } from '../../catalog/field.ts'
import type { Command, Model } from '../../catalog/model.ts'
import type { Kopecks } from '../../money.ts'
import type { Say } from '../../texts.ts'
import { orderAtOnce } from '../cards/order-at-once.ts'
import type { BotDeps, Ctx } from '../context.ts'
import type { OnSale } from '../on-sale.ts'

/** The commands that have an example; the first that can be ordered is shown. */
const exemplary = ['image', 'speech', 'video'] as const satisfies readonly Command[]

export interface Example {
  readonly command: (typeof exemplary)[number]
  readonly prompt: string
  readonly model: Model
  readonly answers: Answers
  readonly amount: Kopecks
}

/** @returns undefined when no model can be ordered with a prompt alone */
export function exampleOf(
  { catalog }: Pick<BotDeps, 'catalog'>,
  onSale: OnSale,
  say: Say,
): Example | undefined {
  for (const command of exemplary) {
    const [model] = onSale.models(command)
    const field = model?.fields.find(({ audience }) => audience === 'asked')
    if (!model || !field) continue
    const prompt = say.plain(`example-${command}`)
    const answers = { [field.name]: prompt }
    const request = catalog.request(model, answers)
    const amount = request && catalog.price(model, request)?.amount
    if (amount && amount > 0n) return { command, prompt, model, answers, amount }
  }
  return undefined
}

/** @param shown the price on the button */
export const orderExample = (
  deps: BotDeps,
  ctx: Ctx,
  { model, answers }: Example,
  shown: Kopecks,
): Promise<void> => orderAtOnce(deps, ctx, { model, answers, shown, byGroup: false })
