// Confirmation: a tap on Generate creates a hold and a generation, in one statement and at most once per draft.

import { eq, sql } from 'drizzle-orm'
import { drafts, generations, quotes } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { hold } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { hasRoom, type OverLimit, overLimit } from '../sales/limits.ts'
import { salesStopped } from '../sales/sales.ts'
import { maintenance, modelSwitch, switchedOff } from '../sales/switches.ts'
import type { Generation, GenerationDeps, GenerationState } from './generation.ts'
import type { Quote } from './quotes.ts'

export type Ordered =
  | { readonly ok: true; readonly generation: Generation }
  /** The user has no such quote. */
  | { readonly ok: false; readonly reason: 'not-found' }
  /** The quote expired, its price changed, or the card has changed since: show the card again. */
  | { readonly ok: false; readonly reason: 'outdated' }
  /** The draft has been ordered before: a double tap. */
  | { readonly ok: false; readonly reason: 'already' }
  | { readonly ok: false; readonly reason: 'paused' }
  /** The operator has switched ordering off. */
  | { readonly ok: false; readonly reason: 'maintenance' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverLimit

type Refused = Extract<Ordered, { readonly ok: false }>
type Deps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids' | 'limits' | 'callbackTokens'>

interface Confirmation {
  readonly quoteId: string
  readonly userId: bigint
  /** The message of the card, which becomes the status message. */
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
  if (!generation) throw new Error(`generation ${id} was held and is missing`)
  return { ok: true, generation }
}

/** A try fails only when the user's balance changed while it ran. */
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
  throw new Error(`quote ${quote.id}: the balance changed during each of ${mostTries} tries`)
}

function isCurrentPrice({ catalog, clock }: Deps, quote: Quote): boolean {
  const model = catalog.find(quote.modelId)
  if (!model || !catalog.isOffered(model) || quote.expiresAt <= clock.now()) return false
  return catalog.price(model, quote.request)?.amount === quote.amount
}

/** Inserts nothing when the quote is not of the draft's current revision, another tap was first, or a limit is reached. */
function insertGeneration(deps: Deps, id: string, quote: Quote, { statusMessageId }: Confirmation) {
  const { callbackTokens, clock } = deps
  const now = timestamp(clock.now())
  return sql`
    insert into ${generations} (id, quote_id, draft_id, user_id, chat_id, thread_id, model_id, request, amount,
      state, callback_token, next_check_at, status_message_id, created_at)
    select ${id}, q.id, d.id, q.user_id, d.chat_id, d.thread_id, q.model_id, q.request, q.amount,
      ${'held' satisfies GenerationState}, ${callbackTokens.make()}, ${now}, ${statusMessageId}::integer, ${now}
    from ${quotes} q join ${drafts} d on d.id = q.draft_id, (${hasRoom(deps, quote)}) room
    where q.id = ${quote.id} and q.expires_at > ${now} and d.revision = q.revision and d.state = 'open'
    on conflict do nothing
    returning id`
}

/** Undefined when the only obstacle was that the balance changed meanwhile. */
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

/** Undefined when it does not exist or belongs to another user. */
export async function findGeneration(
  { db }: Pick<Deps, 'db'>,
  id: string,
  userId: bigint,
): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found?.userId === userId ? found : undefined
}
