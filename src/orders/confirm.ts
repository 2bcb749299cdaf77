// From a draft to an order: its quote, and the confirmation.

import assert from 'node:assert/strict'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { inlineBytes, needsLinks } from '../catalog/media.ts'
import { accounts, drafts, generations, quotes, transfers, walletMembers } from '../db/schema.ts'
import { bigint, columnsOf, integer, jsonb, readRows, timestamp } from '../db/sql.ts'
import { transferHash } from '../ledger/checksum.ts'
import { isAccountOf, readBalance } from '../ledger/ledger.ts'
import { hasFreeOwner, walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import {
  dayBegan,
  dayOf,
  type OverGroupCap,
  type OverLimit,
  overGroupCap,
  overLimit,
} from '../sales/limits.ts'
import { isOff, isStopped, maintenance, modelSwitch, switchedOff } from '../sales/sales.ts'
import { isGroup } from '../telegram/send.ts'
import { forgottenSince } from '../users/user.ts'
import type { Draft } from './drafts.ts'
import { type Generation, type GenerationDeps, readGeneration } from './generation.ts'

// A quote: the price of one revision of a draft, stored with its parts and an expiry. The amount of the quote is what an order holds.

export type Quote = typeof quotes.$inferSelect

export type Quoted =
  | { readonly ok: true; readonly quote: Quote }
  /**
   * `incomplete`: required answers are missing, or the model does not take the prompt. `no-links`: the gateway would have to fetch a file
   * from our server, which has no public address.
   */
  | { readonly ok: false; readonly reason: 'incomplete' | 'not-offered' | 'unpriced' | 'no-links' }
  | { readonly ok: false; readonly reason: 'files-too-large'; readonly bytes: number; readonly most: number }

type QuoteDeps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids' | 'media'>

/** How long a shown price counts. For as long, words typed beside a card or a menu are taken to be about it. */
export const quoteLifetimeMs = 15 * 60_000

/** Prices a draft. A stored quote of the same request and price is reused while at least half of its lifetime is left. */
export async function quoteDraft(
  { db, catalog, clock, ids, media }: QuoteDeps,
  draft: Draft,
): Promise<Quoted> {
  const model = catalog.find(draft.modelId)
  if (!model || !catalog.isOffered(model)) return { ok: false, reason: 'not-offered' }
  if ((await switchedOff(db)).has(modelSwitch(model.id))) return { ok: false, reason: 'not-offered' }
  if (draft.unfitPrompt !== null) return { ok: false, reason: 'incomplete' }
  const request = catalog.request(model, draft.answers)
  if (!request) return { ok: false, reason: 'incomplete' }
  if (!media.link && needsLinks(request)) return { ok: false, reason: 'no-links' }
  const bytes = inlineBytes(request, catalog.passing)
  const { maxInlineTotal: most } = catalog.passing
  if (bytes > most) return { ok: false, reason: 'files-too-large', bytes, most }
  const price = catalog.price(model, request)
  if (!price) return { ok: false, reason: 'unpriced' }
  const { amount, gatewayCost, ...parts } = price
  const now = clock.now()
  const current = await findCurrent({ db }, draft, { request, amount }, now)
  if (current) return { ok: true, quote: current }
  const { id: draftId, revision, userId, modelId } = draft
  const expiresAt = new Date(now.getTime() + quoteLifetimeMs)
  const ofDraft = { id: ids.next(), draftId, revision, userId, modelId, createdAt: now, expiresAt }
  const [quote] = await db
    .insert(quotes)
    .values({ ...ofDraft, request, amount, gatewayCost, parts })
    .returning()
  assert(quote, 'an insert returns its row')
  return { ok: true, quote }
}

/**
 * Finds a stored quote of the same request and price. A revision can make another request when the operator's values have changed since.
 */
async function findCurrent(
  { db }: Pick<QuoteDeps, 'db'>,
  draft: Draft,
  { request, amount }: Pick<Quote, 'request' | 'amount'>,
  now: Date,
) {
  const half = new Date(now.getTime() + quoteLifetimeMs / 2)
  const isOfDraft = and(eq(quotes.draftId, draft.id), eq(quotes.revision, draft.revision))
  const isSame = and(eq(quotes.amount, amount), sql`${quotes.request} = ${jsonb(request)}`)
  const [found] = await db
    .select()
    .from(quotes)
    .where(and(isOfDraft, isSame, gt(quotes.expiresAt, half)))
  return found
}

export async function findQuote({ db }: Pick<QuoteDeps, 'db'>, id: string): Promise<Quote | undefined> {
  const [found] = await db.select().from(quotes).where(eq(quotes.id, id))
  return found
}

// Confirmation: a tap on Generate creates a hold and a generation, in one statement and at most once per draft.

export type Ordered =
  | { readonly ok: true; readonly generation: Generation }
  /** The quote expired, its price changed, or the card has changed since: show the card again. */
  | { readonly ok: false; readonly reason: 'outdated' }
  /** `already`: a double tap. `maintenance`: the operator has switched ordering off. */
  | { readonly ok: false; readonly reason: 'already' | 'paused' | 'maintenance' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverGroupCap
  | OverLimit

type Refused = Extract<Ordered, { readonly ok: false }>
type Deps = Pick<GenerationDeps, 'db' | 'catalog' | 'clock' | 'ids' | 'limits' | 'callbackTokens'>

/** A quote with its draft, and what decides whether it can be ordered now. */
export interface QuotedDraft {
  readonly quote: Quote
  readonly draft: Draft
  readonly isOrdered: boolean
  readonly isModelOff: boolean
  readonly isMaintenance: boolean
  readonly isStopped: boolean
}

export async function findQuotedDraft(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  quoteId: string,
  userId: bigint,
): Promise<QuotedDraft | undefined> {
  const [found] = await db
    .select({
      quote: quotes,
      draft: drafts,
      isOrdered: sql<boolean>`exists (select from ${generations} where ${eq(generations.draftId, drafts.id)})`,
      isModelOff: isOff(sql`${modelSwitch('')} || ${quotes.modelId}`),
      isMaintenance: isOff(sql`${maintenance}`),
      isStopped: isStopped(clock.now(), sql`${quotes.modelId}`),
    })
    .from(quotes)
    .innerJoin(drafts, eq(drafts.id, quotes.draftId))
    .where(and(eq(quotes.id, quoteId), eq(quotes.userId, userId)))
  return found
}

interface Confirmation {
  readonly quoted: QuotedDraft
  /** The hash of the user that stays after a deletion of their data: see users/user.ts. */
  readonly personHash: string
  /** The message of the card, which becomes the status message. */
  readonly statusMessageId: number | null
  /** The order that a single tap repeats, or the answer that it reads aloud: a second tap a moment later orders nothing. */
  readonly repeats?: Pick<Generation, 'id'> | undefined
  readonly isOperator?: boolean
}

export async function confirm(deps: Deps, confirmation: Confirmation): Promise<Ordered> {
  const reason = obstacle(deps, confirmation)
  if (reason) return { ok: false, reason }
  const { byGroup, chatId } = confirmation.quoted.draft
  const wallet = byGroup ? await walletAt(deps.db, chatId) : undefined
  if (byGroup && !wallet) return { ok: false, reason: 'wallet-off' }
  const payable = { ...confirmation, walletId: wallet?.id ?? null }
  for (let again = true; ; again = false) {
    const [generation] = await readRows(deps.db, generations, holdStatement(deps, payable))
    if (generation) return { ok: true, generation }
    const refused = await refusal(deps, payable)
    if (refused) return refused
    // The obstacle has ended since, for instance by a payment.
    if (!again) return { ok: false, reason: 'outdated' }
  }
}

/** Why the quote cannot be ordered, as far as is known without the statement. */
function obstacle(deps: Deps, { quoted, isOperator }: Confirmation) {
  if (quoted.isOrdered) return 'already'
  if (quoted.isModelOff || !isCurrentPrice(deps, quoted.quote)) return 'outdated'
  if (quoted.isMaintenance && !isOperator) return 'maintenance'
  return quoted.isStopped ? 'paused' : undefined
}

interface Payable extends Confirmation {
  readonly walletId: bigint | null
}

/**
 * Holds the money, makes the order and closes its draft, in one statement. It locks the draft, the account of the user and the wallet that
 * pays, in this order: each `where` is decided by the newest version of its row. A second order of the draft finds it closed.
 */
function holdStatement(deps: Deps, { walletId, repeats, ...confirmation }: Payable): SQL {
  const { clock, ids, callbackTokens, limits } = deps
  const [at, today] = [timestamp(clock.now()), sql`${dayOf(deps)}::date`]
  const cap = bigint(limits.dailySpend ?? null)
  const repeatedId = sql`${repeats?.id ?? null}::text`
  const repeatedAt = timestamp(repeats ? clock.now() : null)
  const [open, held] = walletId === null ? ['available', 'held'] : ['group', 'group-held']
  return sql`with quoted as (
      select q.*, d.chat_id, d.thread_id from ${quotes} q join ${drafts} d on d.id = q.draft_id
      where q.id = ${confirmation.quoted.quote.id} and d.revision = q.revision and d.state = 'open'
      for no key update of d
    ), person as (
      select a.id, greatest(a.spent_on, ${today}) as day from ${accounts} a, quoted q
      where a.kind = 'user' and a.owner_id = q.user_id and a.is_on and a.open_orders < ${integer(limits.concurrent)}
        and (${cap} is null or q.amount + case when a.spent_on >= ${today} then a.spent_today else 0 end <= ${cap})
        and (a.repeated_id = ${repeatedId} and a.repeated_at > ${timestamp(clock.now(), -repeatedWithinMs)}) is not true
      for no key update of a
    ), payer as (
      select w.id, w.kind, person.day, case when w.owner_id = q.user_id or w.daily_cap is null then null
          when ${forgottenSince(confirmation.personHash, timestamp(dayBegan(deps)))} then 0 else w.daily_cap end as cap
      from ${accounts} w, person, quoted q
      where w.id = coalesce(${bigint(walletId)}, person.id) and w.available >= q.amount and w.is_on
        and (w.kind = 'user' or ${hasFreeOwner})
      for no key update of w
    ), member as (
      insert into ${walletMembers} as m (account_id, user_id, spent_on, spent)
      select payer.id, q.user_id, payer.day, q.amount from payer, quoted q
      where payer.kind = 'group' and q.amount <= coalesce(payer.cap, q.amount)
      on conflict (account_id, user_id) do update set spent_on = excluded.spent_on,
        spent = excluded.spent + case when m.spent_on = excluded.spent_on then m.spent else 0 end
      where excluded.spent + case when m.spent_on = excluded.spent_on then m.spent else 0 end
        <= coalesce((select cap from payer), 9223372036854775807)
      returning account_id
    ), made as (
      insert into ${generations} (id, quote_id, draft_id, user_id, chat_id, thread_id, model_id, request, amount, wallet_id, spent_on,
        state, callback_token, next_check_at, status_message_id, created_at)
      select ${ids.next()}, q.id, q.draft_id, q.user_id, q.chat_id, q.thread_id, q.model_id, q.request, q.amount, ${bigint(walletId)},
        payer.day, 'held', ${callbackTokens.make()}, ${at}, ${integer(confirmation.statusMessageId)}, ${at}
      from quoted q, payer
      where payer.kind = 'user' or exists (select from member)
      returning *
    ), closed as (
      update ${drafts} d set state = 'ordered' from made where d.id = made.draft_id
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, generation_id, wallet_id, created_at)
      select 'hold:' || id, 'hold', user_id, ${open}, ${held}, amount, id, wallet_id, created_at from made
      returning wallet_id, amount, case when wallet_id is null then amount else 0 end as own, ${sql.raw(transferHash)} as hash
    ), counted as (
      update ${accounts} a set checksum = a.checksum # hash, open_orders = a.open_orders + 1, spent_on = day,
        spent_today = amount + case when a.spent_on = day then a.spent_today else 0 end,
        repeated_id = coalesce(${repeatedId}, a.repeated_id), repeated_at = coalesce(${repeatedAt}, a.repeated_at),
        available = a.available - own, held = a.held + own
      from posted, person where a.id = person.id
    ), lent as (
      update ${accounts} w set available = w.available - amount, held = w.held + amount from posted where w.id = posted.wallet_id
    )
    select ${columnsOf(generations, 'made')} from made`
}

function isCurrentPrice({ catalog, clock }: Deps, quote: Quote): boolean {
  const model = catalog.find(quote.modelId)
  if (!model || !catalog.isOffered(model) || quote.expiresAt <= clock.now()) return false
  return catalog.price(model, quote.request)?.amount === quote.amount
}

/** The reason for the user, read after the statement has ordered nothing; undefined if it no longer holds. */
async function refusal(
  deps: Deps,
  { quoted: { quote, draft }, personHash, walletId, repeats }: Payable,
): Promise<Refused | undefined> {
  if ((await deps.db.$count(generations, eq(generations.draftId, quote.draftId))) > 0)
    return { ok: false, reason: 'already' }
  if (draft.state !== 'open' || draft.revision !== quote.revision) return { ok: false, reason: 'outdated' }
  if (repeats && (await isRepeatedNow(deps, repeats.id, quote.userId)))
    return { ok: false, reason: 'already' }
  const over = await overLimit(deps, quote)
  if (over) return over
  if (walletId !== null) return overGroupCap(deps, { ...quote, personHash, walletId }, draft.chatId)
  const { available } = await readBalance(deps.db, quote.userId)
  const missing = quote.amount - available
  return missing > 0n ? { ok: false, reason: 'insufficient', missing } : undefined
}

/** Two taps on the button that repeats an order within this time, or one tap that was sent twice, order once. */
export const repeatedWithinMs = 5000

export async function isRepeatedNow(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  repeatedId: string,
  userId: bigint,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - repeatedWithinMs)
  const isSame = and(isAccountOf(userId), eq(accounts.repeatedId, repeatedId), gt(accounts.repeatedAt, since))
  return (await db.$count(accounts, isSame)) > 0
}

type ReadDeps = Pick<Deps, 'db'>

export async function findGeneration({ db }: ReadDeps, id: string, userId: bigint) {
  const found = await readGeneration(db, id)
  return found?.userId === userId ? found : undefined
}

/**
 * Finds an order that a user may repeat: their own, or one that was made in this group, whose members have all seen it. A repetition opens
 * a card of the user who asks for it. Undefined for all other orders.
 */
export async function findRepeatable(
  { db }: ReadDeps,
  id: string,
  userId: bigint,
  chatId: number | undefined,
): Promise<Generation | undefined> {
  const found = await readGeneration(db, id)
  const isOfGroup = chatId !== undefined && isGroup(chatId) && found?.chatId === chatId
  return isOfGroup || found?.userId === userId ? found : undefined
}
