// Confirmation: a tap on Generate creates a hold and a generation, in one statement and at most once per draft.

import { and, eq, getColumns, type SQL, sql } from 'drizzle-orm'
import { flag, readRows, rowReader } from '../db/row-reader.ts'
import { drafts, generations, quotes, salesStops } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isGuarded, postReading, readBalance } from '../ledger/ledger.ts'
import { hold } from '../ledger/moves.ts'
import { walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import { hasGroupRoom, type OverGroupCap, overGroupCap } from '../sales/group-cap.ts'
import { hasRoom, type OverLimit, overLimit } from '../sales/limits.ts'
import { isStopped, isUnreachable } from '../sales/sales.ts'
import { isOff, maintenance, modelSwitch } from '../sales/switches.ts'
import type { Locale } from '../texts.ts'
import type { Draft } from './drafts.ts'
import {
  type Generation,
  type GenerationDeps,
  type GenerationState,
  generationRow,
  readGeneration,
  selectGuard,
} from './generation.ts'
import { claimInto, type Lease, type Place } from './place.ts'
import type { Quote } from './quotes.ts'
import { isNoRepetition, isRepeatedNow } from './repeated.ts'

export type Ordered =
  | { readonly ok: true; readonly generation: Generation }
  /** The quote expired, its price changed, or the card has changed since: show the card again. */
  | { readonly ok: false; readonly reason: 'outdated' }
  /** The draft has been ordered before: a double tap. */
  | { readonly ok: false; readonly reason: 'already' }
  | { readonly ok: false; readonly reason: 'paused' }
  /** The operator has switched ordering off. */
  | { readonly ok: false; readonly reason: 'maintenance' }
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

/** Finds a quote of a user, with its draft; undefined when the user has no such quote. */
export async function findQuotedDraft(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  quoteId: string,
  userId: bigint,
): Promise<QuotedDraft | undefined> {
  const statement = sql`
    select ${quoteRow.columnsOf('quotes')}, ${draftRow.columnsOf('drafts')},
      exists (select from ${generations} where ${eq(generations.draftId, drafts.id)}),
      ${isOff(sql`${modelSwitch('')} || ${quotes.modelId}`)}, ${isOff(sql`${maintenance}`)},
      ${isStopped(clock.now(), sql`${quotes.modelId}`)}
    from ${quotes} join ${drafts} on ${eq(drafts.id, quotes.draftId)}
    where ${and(eq(quotes.id, quoteId), eq(quotes.userId, userId))}`
  const [found] = await readRows(db, statement, quoteRow, draftRow, flag, flag, flag, flag)
  if (!found) return undefined
  const [quote, draft, isOrdered, isModelOff, isMaintenance, isStoppedNow] = found
  return { quote, draft, isOrdered, isModelOff, isMaintenance, isStopped: isStoppedNow }
}

const quoteRow = rowReader(getColumns(quotes))
const draftRow = rowReader(getColumns(drafts))

interface Confirmation {
  readonly quoted: QuotedDraft
  /** The hash of the user that stays after a deletion of their data: see users/person.ts. */
  readonly personHash: string
  /** The message of the card, which becomes the status message. */
  readonly statusMessageId: number | null
  /** The order that a single tap repeats: a second tap a moment later orders nothing. */
  readonly repeats?: Generation | undefined
  /** Operators may order during maintenance. */
  readonly isOperator?: boolean
  /** A place for the submit, which then begins at once. */
  readonly place?: Place | undefined
  /** The language of the user. */
  readonly locale?: Locale
}

export async function confirm(deps: Deps, confirmation: Confirmation): Promise<Ordered> {
  const { place, locale } = confirmation
  const make = (lease: Lease) => order(deps, confirmation, lease)
  return claimInto(place, make, (ordered) =>
    ordered.ok ? { generation: ordered.generation, locale } : undefined,
  )
}

async function order(deps: Deps, confirmation: Confirmation, lease: Lease): Promise<Ordered> {
  const { quote, isOrdered, isModelOff, isMaintenance, isStopped } = confirmation.quoted
  if (isOrdered) return { ok: false, reason: 'already' }
  if (isModelOff || !isCurrentPrice(deps, quote)) return { ok: false, reason: 'outdated' }
  if (isMaintenance && !confirmation.isOperator) return { ok: false, reason: 'maintenance' }
  if (isStopped) return { ok: false, reason: 'paused' }
  const { byGroup, chatId } = confirmation.quoted.draft
  if (!byGroup) return holdOrder(deps, { ...confirmation, walletId: null }, lease)
  const wallet = await walletAt(deps.db, chatId)
  if (!wallet) return { ok: false, reason: 'wallet-off' }
  return holdOrder(deps, { ...confirmation, walletId: wallet.id }, lease)
}

interface Payable extends Confirmation {
  /** The wallet of the group that pays; null when the user pays. */
  readonly walletId: bigint | null
}

/** A try fails only when the user's balance or the wallet changed while it ran. */
const mostTries = 100

async function holdOrder(deps: Deps, confirmation: Payable, lease: Lease): Promise<Ordered> {
  const { quote } = confirmation.quoted
  const id = deps.ids.next()
  for (let tries = 0; tries < mostTries; tries += 1) {
    const posted = await postOrder(deps, id, confirmation, lease)
    if (posted.ok) return { ok: true, generation: posted.row[0] }
    const refused = await refusal(deps, confirmation, posted.reason)
    if (refused) return refused
  }
  throw new Error(`quote ${quote.id}: the money changed during each of ${mostTries} tries`)
}

/** Posts the hold, inserts the generation and closes the draft, in one statement. */
function postOrder(deps: Deps, id: string, confirmation: Payable, lease: Lease) {
  const { db, clock } = deps
  const { walletId } = confirmation
  const { userId, amount, draftId } = confirmation.quoted.quote
  const guard = insertGeneration(deps, id, confirmation, lease)
  const ordered = sql`
    update ${drafts} set state = ${'ordered' satisfies Draft['state']} where id = ${draftId} and ${isGuarded}`
  const step = {
    db,
    moves: [hold({ id, userId, amount, walletId })],
    now: clock.now(),
    guard,
    also: [ordered],
  }
  return postReading(step, selectGuard, generationRow)
}

function isCurrentPrice({ catalog, clock }: Deps, quote: Quote): boolean {
  const model = catalog.find(quote.modelId)
  if (!model || !catalog.isOffered(model) || quote.expiresAt <= clock.now()) return false
  return catalog.price(model, quote.request)?.amount === quote.amount
}

/**
 * Inserts nothing when the quote is not of the draft's current revision, another tap was first, or a limit is reached. While the
 * gateway cannot be reached, the row is left to the queue, which sends one request at a time then.
 */
function insertGeneration(
  deps: Deps,
  id: string,
  { quoted: { quote }, personHash, statusMessageId, walletId, repeats }: Payable,
  { lease, leaseUntil }: Lease,
): SQL {
  const { callbackTokens, clock } = deps
  const now = timestamp(clock.now())
  const paying =
    walletId === null
      ? sql``
      : sql`, lateral (${hasGroupRoom({ ...quote, personHash, walletId }, clock.now(), sql`room.held`)}) wallet`
  return sql`
    insert into ${generations} (id, quote_id, draft_id, user_id, chat_id, thread_id, model_id, request, amount, wallet_id,
      state, callback_token, next_check_at, status_message_id, created_at, lease, lease_until)
    select ${id}, q.id, d.id, q.user_id, d.chat_id, d.thread_id, q.model_id, q.request, q.amount, ${walletId}::bigint,
      ${'held' satisfies GenerationState}, ${callbackTokens.make()}, ${now}, ${statusMessageId}::integer, ${now},
      case when is_reached then ${lease}::text end, case when is_reached then ${timestamp(leaseUntil)} end
    from ${quotes} q join ${drafts} d on d.id = q.draft_id, (${hasRoom(deps, quote)}) room${paying},
      (select not exists (select from ${salesStops} where ${isUnreachable}) as is_reached) gateway
    where q.id = ${quote.id} and q.expires_at > ${now} and d.revision = q.revision and d.state = 'open'
      and d.by_group = ${walletId !== null} ${repeats ? sql`and ${isNoRepetition(repeats.id, clock.now())}` : sql``}
    on conflict do nothing
    returning *`
}

/** Why nothing was ordered; undefined when the only obstacle was that the balance changed meanwhile. */
async function refusal(
  deps: Deps,
  { quoted: { quote, draft }, personHash, walletId, repeats }: Payable,
  reason: string,
): Promise<Refused | undefined> {
  if (reason === 'insufficient' && walletId !== null) return { ok: false, reason: 'wallet-short' }
  if (reason === 'insufficient') {
    const { available } = await readBalance(deps.db, quote.userId)
    const missing = quote.amount - available
    return missing > 0n ? { ok: false, reason, missing } : undefined
  }
  if (await findByDraft(deps, quote.draftId)) return { ok: false, reason: 'already' }
  if (!(await isOfOpenDraft(deps, quote))) return { ok: false, reason: 'outdated' }
  if (repeats && (await isRepeatedNow(deps, repeats, quote.request))) return { ok: false, reason: 'already' }
  const over = await overLimit(deps, quote)
  if (over || walletId === null) return over
  return overGroupCap(deps.db, { ...quote, personHash, walletId }, draft.chatId, deps.clock.now())
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

/** Finds a generation; undefined when it does not exist or belongs to another user. */
export async function findGeneration(
  { db }: Pick<Deps, 'db'>,
  id: string,
  userId: bigint,
): Promise<Generation | undefined> {
  const found = await readGeneration(db, id)
  return found?.userId === userId ? found : undefined
}

/**
 * Finds an order that a user may repeat: their own, or one that was made in this group, whose members have all seen it. A repetition opens
 * a card of the user who asks for it. Undefined for all other orders.
 */
export async function findRepeatable(
  { db }: Pick<Deps, 'db'>,
  id: string,
  userId: bigint,
  chatId: number | undefined,
): Promise<Generation | undefined> {
  const found = await readGeneration(db, id)
  const isOfGroup = chatId !== undefined && chatId < 0 && found?.chatId === chatId
  return isOfGroup || found?.userId === userId ? found : undefined
}
