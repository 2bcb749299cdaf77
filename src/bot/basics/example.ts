// The example of /start: one order with a ready prompt, whose price its button shows. A tap orders it.

import type { Answers } from '../../catalog/field.ts'
import type { Command, Model } from '../../catalog/model.ts'
import { findQuotedDraft } from '../../generations/order.ts'
import { quoteDraft } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import type { Say } from '../../texts.ts'
import { explainRefusal, placeOrder } from '../cards/card.ts'
import { sendCard, startDraft } from '../cards/cards.ts'
import { type BotDeps, type Ctx, placeOf } from '../context.ts'
import type { OnSale } from '../on-sale.ts'
import { alert } from '../responses.ts'

/** The commands that have an example; the first that can be ordered is shown. */
const exemplary = ['image', 'speech', 'video'] as const satisfies readonly Command[]

export interface Example {
  readonly command: (typeof exemplary)[number]
  readonly prompt: string
  readonly model: Model
  readonly answers: Answers
  readonly amount: Kopecks
}

/** Undefined when none can be ordered with a prompt alone. */
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

/** @param shown the price on the button; at another price the card is shown instead */
export async function orderExample(deps: BotDeps, ctx: Ctx, example: Example, shown: Kopecks): Promise<void> {
  const place = placeOf(ctx)
  if (!place) return
  const { model, answers } = example
  const draft = await startDraft(deps, ctx.user, place, model, answers, ctx.update.update_id)
  await sendCard(deps, ctx.api, draft, ctx.say)
  const quoted = await quoteDraft(deps, draft)
  const found = quoted.ok ? await findQuotedDraft(deps, quoted.quote.id, ctx.user.id) : undefined
  if (found?.quote.amount !== shown) return alert(ctx, ctx.say.plain('quote-outdated'))
  const ordered = await placeOrder(deps, ctx, found)
  if (ordered.ok) return
  // The card below shows what has changed.
  if (ordered.reason === 'outdated') return alert(ctx, ctx.say.plain('quote-outdated'))
  await explainRefusal(deps, ctx, ordered, draft)
}
