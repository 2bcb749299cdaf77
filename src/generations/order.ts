// Confirmation: a tap on Generate becomes a hold and a generation, in one statement, once.

import { eq, sql } from 'drizzle-orm'
import { drafts, generations, quotes } from '../db/schema.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { hold } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import type { Quote } from './quotes.ts'
import { salesStopped } from './sales.ts'

export type Ordered =
  | { readonly ok: true; readonly generation: Generation }
  /** No such quote of this user. */
  | { readonly ok: false; readonly reason: 'not-found' }
  /** The quote expired, its price moved, or the card has changed since: show the card anew. */
  | { readonly ok: false; readonly reason: 'outdated' }
  /** This draft was ordered before: a double tap. */
  | { readonly ok: false; readonly reason: 'already' }
  | { readonly ok: false; readonly reason: 'paused' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }

type Deps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids'>

export interface Confirmation {
  readonly quoteId: string
  readonly userId: bigint
  /** The card becomes the status message. */
  readonly statusMessageId: number | null
}

export async function confirm(deps: Deps, confirmation: Confirmation): Promise<Ordered> {
  const { db, clock } = deps
  const [quote] = await db.select().from(quotes).where(eq(quotes.id, confirmation.quoteId))
  if (!quote || quote.userId !== confirmation.userId) return { ok: false, reason: 'not-found' }
  if (await findByDraft(deps, quote.draftId)) return { ok: false, reason: 'already' }
  if (!isCurrentPrice(deps, quote)) return { ok: false, reason: 'outdated' }
  if (await salesStopped(db, clock.now())) return { ok: false, reason: 'paused' }
  const id = deps.ids.next()
  const order = { id, userId: quote.userId, amount: quote.amount }
  const posted = await post(db, [hold(order)], clock.now(), insertGeneration(deps, id, confirmation))
  if (!posted.ok) return refusal(deps, quote, posted.reason)
  await db.update(drafts).set({ state: 'ordered' }).where(eq(drafts.id, quote.draftId))
  const [generation] = await db.select().from(generations).where(eq(generations.id, id))
  if (!generation) throw new Error('a held generation is there')
  return { ok: true, generation }
}

function isCurrentPrice({ catalog, clock }: Deps, quote: Quote): boolean {
  const model = catalog.find(quote.modelId)
  if (!model || !catalog.isOffered(model) || quote.expiresAt <= clock.now()) return false
  return catalog.price(model, quote.request)?.amount === quote.amount
}

/** Inserts nothing when the quote is no longer the draft's, or another tap was first. */
function insertGeneration({ ids, clock }: Deps, id: string, { quoteId, statusMessageId }: Confirmation) {
  const now = sql`${clock.now()}::timestamptz`
  return sql`
    insert into ${generations} (id, quote_id, draft_id, user_id, chat_id, thread_id, model_id, request, amount,
      state, callback_token, next_check_at, status_message_id, created_at)
    select ${id}, q.id, d.id, q.user_id, d.chat_id, d.thread_id, q.model_id, q.request, q.amount,
      'held', ${ids.secret()}, ${now}, ${statusMessageId}::integer, ${now}
    from ${quotes} q join ${drafts} d on d.id = q.draft_id
    where q.id = ${quoteId} and q.expires_at > ${now} and d.revision = q.revision and d.state = 'open'
    on conflict do nothing
    returning id`
}

async function refusal(deps: Deps, quote: Quote, reason: string): Promise<Ordered> {
  if (reason === 'insufficient') {
    const { available } = await readBalance(deps.db, quote.userId)
    return { ok: false, reason, missing: quote.amount > available ? quote.amount - available : 0n }
  }
  const ordered = await findByDraft(deps, quote.draftId)
  return { ok: false, reason: ordered ? 'already' : 'outdated' }
}

async function findByDraft({ db }: Pick<Deps, 'db'>, draftId: string) {
  const [found] = await db
    .select({ id: generations.id })
    .from(generations)
    .where(eq(generations.draftId, draftId))
  return found
}

/** A generation of this user; nobody else's id opens it. */
export async function findGeneration(
  { db }: Pick<Deps, 'db'>,
  id: string,
  userId: bigint,
): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found?.userId === userId ? found : undefined
}
