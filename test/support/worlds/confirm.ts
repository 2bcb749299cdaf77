// Confirms a quote by its id, as the bot does.

import {
  confirm as confirmQuoted,
  findQuotedDraft,
  type Ordered,
  type QuotedDraft,
} from '../../../src/orders/confirm.ts'

type Deps = Parameters<typeof confirmQuoted>[0]
type Confirmation = Omit<Parameters<typeof confirmQuoted>[1], 'quoted' | 'personHash'>

interface QuoteOf extends Confirmation {
  readonly quoteId: string
  readonly userId: QuotedDraft['quote']['userId']
  readonly personHash?: string | undefined
}

/** The reason is `not-found` if the user has no such quote. */
export type Confirmed = Ordered | { readonly ok: false; readonly reason: 'not-found' }

export async function confirm(
  deps: Deps,
  { quoteId, userId, personHash = `p${userId}`, ...confirmation }: QuoteOf,
): Promise<Confirmed> {
  const quoted = await findQuotedDraft(deps, quoteId, userId)
  if (!quoted) return { ok: false, reason: 'not-found' }
  return confirmQuoted(deps, { quoted, personHash, ...confirmation })
}
