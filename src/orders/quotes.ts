// A quote: the price of one revision of a draft, stored with its parts and an expiry. The amount of the quote is what an order holds.

import { and, eq, gt, sql } from 'drizzle-orm'
import { inlineBytes, maxInlineTotal, needsLinks } from '../catalog/media.ts'
import { quotes } from '../db/schema.ts'
import { jsonb } from '../db/sql.ts'
import { modelSwitch, switchedOff } from '../sales/switches.ts'
import type { Draft } from './drafts.ts'
import type { GenerationDeps } from './generation.ts'

export type Quote = typeof quotes.$inferSelect

export type Quoted =
  | { readonly ok: true; readonly quote: Quote }
  /** Required answers are missing, or the model does not take the prompt. */
  | { readonly ok: false; readonly reason: 'incomplete' }
  | { readonly ok: false; readonly reason: 'not-offered' }
  | { readonly ok: false; readonly reason: 'unpriced' }
  /** The gateway would have to fetch a file from our server, which has no public address. */
  | { readonly ok: false; readonly reason: 'no-links' }
  /** The files inside the request are too large together. */
  | { readonly ok: false; readonly reason: 'files-too-large'; readonly bytes: number; readonly most: number }

type Deps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids' | 'media'>

/** How long a shown price counts. For as long, words typed beside a card or a menu are taken to be about it. */
export const quoteLifetimeMs = 15 * 60_000

/** Prices a draft. A stored quote of the same request and price is reused while at least half of its lifetime is left. */
export async function quoteDraft({ db, catalog, clock, ids, media }: Deps, draft: Draft): Promise<Quoted> {
  const model = catalog.find(draft.modelId)
  if (!model || !catalog.isOffered(model)) return { ok: false, reason: 'not-offered' }
  if ((await switchedOff(db)).has(modelSwitch(model.id))) return { ok: false, reason: 'not-offered' }
  if (draft.unfitPrompt !== null) return { ok: false, reason: 'incomplete' }
  const request = catalog.request(model, draft.answers)
  if (!request) return { ok: false, reason: 'incomplete' }
  if (!media.link && needsLinks(request)) return { ok: false, reason: 'no-links' }
  const bytes = inlineBytes(request)
  if (bytes > maxInlineTotal) return { ok: false, reason: 'files-too-large', bytes, most: maxInlineTotal }
  const price = catalog.price(model, request)
  if (!price || price.amount <= 0n) return { ok: false, reason: 'unpriced' }
  const { amount, gatewayCost, ...parts } = price
  const now = clock.now()
  const current = await findCurrent({ db }, draft, { request, amount }, now)
  if (current) return { ok: true, quote: current }
  const row = { id: ids.next(), draftId: draft.id, revision: draft.revision, userId: draft.userId }
  const [quote] = await db
    .insert(quotes)
    .values({
      ...row,
      modelId: draft.modelId,
      request,
      amount,
      gatewayCost,
      parts,
      createdAt: now,
      expiresAt: new Date(now.getTime() + quoteLifetimeMs),
    })
    .returning()
  if (!quote) throw new Error('an insert returned no row')
  return { ok: true, quote }
}

/**
 * Finds a stored quote of the same request and price. A revision can make another request when the operator's values have changed since.
 */
async function findCurrent(
  { db }: Pick<Deps, 'db'>,
  draft: Draft,
  { request, amount }: Pick<Quote, 'request' | 'amount'>,
  now: Date,
) {
  const half = new Date(now.getTime() + quoteLifetimeMs / 2)
  const [found] = await db
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.draftId, draft.id),
        eq(quotes.revision, draft.revision),
        eq(quotes.amount, amount),
        sql`${quotes.request} = ${jsonb(request)}`,
        gt(quotes.expiresAt, half),
      ),
    )
  return found
}

export async function findQuote({ db }: Pick<Deps, 'db'>, id: string): Promise<Quote | undefined> {
  const [found] = await db.select().from(quotes).where(eq(quotes.id, id))
  return found
}
