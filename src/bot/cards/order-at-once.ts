// An order by one tap on a button that shows its price.

import type { Answers } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { findDraft } from '../../generations/drafts.ts'
import type { Generation } from '../../generations/generation.ts'
import { findQuotedDraft } from '../../generations/order.ts'
import { quoteDraft } from '../../generations/quotes.ts'
import type { Kopecks } from '../../money.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { alert, answerTap } from '../responses.ts'
import { explainRefusal, placeOrder } from './card.ts'
import { sendCard, startDraft } from './cards.ts'

interface Wanted {
  readonly model: Model
  readonly answers: Answers
  /** The price that the button shows; at another price the card is left to be confirmed. */
  readonly shown: Kopecks
  /** Whether the wallet of the group has paid for the order that is repeated; another payer leaves the card to be confirmed. */
  readonly byGroup: boolean
  /** The order that is repeated. */
  readonly repeats?: Generation
}

/** Orders: the card becomes the status message. If the order is impossible, the card stays and says why. */
export async function orderAtOnce(
  deps: BotDeps,
  ctx: Ctx,
  { model, answers, shown, byGroup, repeats }: Wanted,
): Promise<void> {
  const location = locationOf(ctx)
  if (!location) return
  const begun = await startDraft(deps, {
    user: ctx.user,
    location,
    model,
    answers,
    updateId: ctx.update.update_id,
  })
  // When the update is repeated, the card is already the status message or the result.
  if (begun.state !== 'open') return answerTap(ctx, ctx.say.plain('ordered-already'))
  await sendCard(deps, ctx.api, begun, ctx.say)
  // Drawing the card may have changed the payer.
  const draft = (await findDraft(deps.db, begun.id, begun.userId)) ?? begun
  if (draft.byGroup !== byGroup) return alert(ctx, ctx.say.plain('order-payer-changed'))
  const quoted = await quoteDraft(deps, draft)
  if (!quoted.ok && quoted.reason === 'not-offered') return alert(ctx, ctx.say.plain('card-not-offered-now'))
  const found = quoted.ok ? await findQuotedDraft(deps, quoted.quote.id, ctx.user.id) : undefined
  if (found?.quote.amount !== shown) return alert(ctx, ctx.say.plain('quote-outdated'))
  const ordered = await placeOrder(deps, ctx, found, repeats)
  if (ordered.ok) return
  // The card below shows what has changed.
  if (ordered.reason === 'outdated') return alert(ctx, ctx.say.plain('quote-outdated'))
  await explainRefusal(deps, ctx, ordered, draft)
}
