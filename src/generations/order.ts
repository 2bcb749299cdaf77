// Confirmation: a tap on Generate becomes a hold and a generation, in one statement, once.

import { eq, sql } from 'drizzle-orm'
import { drafts, generations, quotes } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { hold } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { hasRoom, type OverLimit, overLimit } from '../sales/limits.ts'
import { salesStopped } from '../sales/sales.ts'
import { maintenance, modelSwitch, switchedOff } from '../sales/switches.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import type { Quote } from './quotes.ts'

export type Ordered =
  | { readonly ok: true; readonly generation: Generation }
  /** No such quote of this user. */
  | { readonly ok: false; readonly reason: 'not-found' }
  /** The quote expired, its price moved, or the card has changed since: show the card anew. */
  | { readonly ok: false; readonly reason: 'outdated' }
  /** This draft was ordered before: a double tap. */
  | { readonly ok: false; readonly reason: 'already' }
  | { readonly ok: false; readonly reason: 'paused' }
  /** The operator has switched ordering off for a while. */
  | { readonly ok: false; readonly reason: 'maintenance' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverLimit

type Refused = Extract<Ordered, { readonly ok: false }>
type Deps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids' | 'limits' | 'callbackTokens'>

export interface Confirmation {
  readonly quoteId: string
  readonly userId: bigint
  /** The card becomes the status message. */
  readonly statusMessageId: number | null
  /** Operators may order during maintenance. */
  readonly isOperator?: boolean
}

export async function confirm(deps: Deps, confirmation: Confirmation): Promise<Ordered> {
  const { db, clock } = deps
  const [quote] = await db.select().from(quotes).where(eq(quotes.id, confirmation.quoteId))
  if (!quote || quote.userId !== confirmation.userId) return { ok: false, reason: 'not-found' }
  if (await findByDraft(deps, quote.draftId)) return { ok: false, reason: 'already' }
  const off = await switchedOff(db)
  if (off.has(modelSwitch(quote.modelId)) || !isCurrentPrice(deps, quote))
    return { ok: false, reason: 'outdated' }
  if (off.has(maintenance) && !confirmation.isOperator) return { ok: false, reason: 'maintenance' }
  if (await salesStopped(db, clock.now())) return { ok: false, reason: 'paused' }
  const id = deps.ids.next()
  const refused = await holdOrder(deps, quote, id, confirmation)
  if (refused) return refused
  await db.update(drafts).set({ state: 'ordered' }).where(eq(drafts.id, quote.draftId))
  const [generation] = await db.select().from(generations).where(eq(generations.id, id))
  if (!generation) throw new Error('a held generation is there')
  return { ok: true, generation }
}

/** Each time it has to begin again, something else of this user's was done meanwhile. */
const mostTries = 100

async function holdOrder(
  deps: Deps,
  quote: Quote,
  id: string,
  confirmation: Confirmation,
): Promise<Refused | undefined> {
  const { userId, amount } = quote
  for (let tries = 0; tries < mostTries; tries += 1) {
    const guard = insertGeneration(deps, id, quote, confirmation)
    const posted = await post(deps.db, [hold({ id, userId, amount })], deps.clock.now(), guard)
    if (posted.ok) return undefined
    const refused = await refusal(deps, quote, posted.reason)
    if (refused) return refused
  }
  throw new Error(`quote ${quote.id}: the balance of its user does not stand still`)
}

function isCurrentPrice({ catalog, clock }: Deps, quote: Quote): boolean {
  const model = catalog.find(quote.modelId)
  if (!model || !catalog.isOffered(model) || quote.expiresAt <= clock.now()) return false
  return catalog.price(model, quote.request)?.amount === quote.amount
}

/** Inserts nothing when the quote is no longer the draft's, another tap was first, or there is no room for it. */
function insertGeneration(deps: Deps, id: string, quote: Quote, { statusMessageId }: Confirmation) {
  const { callbackTokens, clock } = deps
  const now = timestamp(clock.now())
  return sql`
    insert into ${generations} (id, quote_id, draft_id, user_id, chat_id, thread_id, model_id, request, amount,
      state, callback_token, next_check_at, status_message_id, created_at)
    select ${id}, q.id, d.id, q.user_id, d.chat_id, d.thread_id, q.model_id, q.request, q.amount,
      'held', ${callbackTokens.make()}, ${now}, ${statusMessageId}::integer, ${now}
    from ${quotes} q join ${drafts} d on d.id = q.draft_id, (${hasRoom(deps, quote)}) room
    where q.id = ${quote.id} and q.expires_at > ${now} and d.revision = q.revision and d.state = 'open'
    on conflict do nothing
    returning id`
}

/** Undefined: nothing speaks against it but that the user's money moved meanwhile. */
async function refusal(deps: Deps, quote: Quote, reason: string): Promise<Refused | undefined> {
  if (reason === 'insufficient') {
    const { available } = await readBalance(deps.db, quote.userId)
    return { ok: false, reason, missing: quote.amount > available ? quote.amount - available : 0n }
  }
  if (await findByDraft(deps, quote.draftId)) return { ok: false, reason: 'already' }
  if (!(await isOfOpenDraft(deps, quote))) return { ok: false, reason: 'outdated' }
  return overLimit(deps, quote)
}

async function isOfOpenDraft({ db, clock }: Deps, quote: Quote): Promise<boolean> {
  const [draft] = await db.select().from(drafts).where(eq(drafts.id, quote.draftId))
  const isOpen = draft?.state === 'open' && draft.revision === quote.revision
  return isOpen && quote.expiresAt > clock.now()
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
