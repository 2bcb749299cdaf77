// A user's orders, newest first, and the receipt of one order.

import { and, desc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { artifacts, generations } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'
import { findGeneration, findQuote, type Quote } from './confirm.ts'
import { artifactsOf } from './deliver/job.ts'
import { type Artifact, deliveryIs, type Generation, type GenerationDeps, stateIs } from './generation.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock'>

export const pageSize = 5

export interface HistoryPage {
  readonly entries: readonly Generation[]
  /** The number of the page, from 0; the last page when a later one was asked for. */
  readonly page: number
  readonly total: number
}

export interface HistoryQuery {
  /** Only orders of this chat: in a group, all members see the list. */
  readonly chatId?: number | undefined
  readonly modelIds?: readonly string[] | undefined
  readonly states?: readonly Generation['state'][] | undefined
  readonly favourite?: boolean
  /** Only the orders that the user removed from the list, which are left out otherwise. */
  readonly hidden?: boolean
}

const isOf = (userId: bigint) => eq(generations.userId, userId)
const isIn = (chatId: number | undefined) =>
  chatId === undefined ? undefined : eq(generations.chatId, chatId)

const fits = ({ chatId, modelIds, states, favourite, hidden }: HistoryQuery) =>
  and(
    isIn(chatId),
    modelIds && inArray(generations.modelId, [...modelIds]),
    states && inArray(generations.state, [...states]),
    favourite ? isNotNull(generations.favouriteAt) : undefined,
    hidden ? isNotNull(generations.hiddenAt) : isNull(generations.hiddenAt),
  )

export async function readHistory(
  { db }: Pick<Deps, 'db'>,
  userId: bigint,
  wanted: number,
  query: HistoryQuery = {},
): Promise<HistoryPage> {
  const own = and(isOf(userId), fits(query))
  const total = await db.$count(generations, own)
  const page = Math.max(0, Math.min(wanted, Math.ceil(total / pageSize) - 1))
  const newestFirst = [desc(generations.createdAt), desc(generations.id)]
  // The skipped rows are read without their requests.
  const ids = db
    .select({ id: generations.id })
    .from(generations)
    .where(own)
    .orderBy(...newestFirst)
    .limit(pageSize)
    .offset(page * pageSize)
  const entries = await db
    .select()
    .from(generations)
    .where(inArray(generations.id, ids))
    .orderBy(...newestFirst)
  return { entries, page, total }
}

/** As many as fit into one message. */
const maxShown = 15

export const ordersUnderWay = (
  { db }: Pick<Deps, 'db'>,
  userId: bigint,
  chatId: number | undefined,
): Promise<Generation[]> =>
  db
    .select()
    .from(generations)
    .where(and(isOf(userId), isIn(chatId), isNull(generations.settledAt)))
    .orderBy(desc(generations.createdAt))
    .limit(maxShown)

export function shownStateOf(generation: Generation) {
  const { state, delivery } = generation
  if (generation.arrivedLateAt) return delivery === 'pending' ? 'sending' : 'late'
  switch (state) {
    case 'held':
    case 'submitting':
    case 'running':
      return 'working'
    case 'unknown':
    case 'failed':
    case 'canceled':
      return state
    case 'succeeded':
      return shownStateOfPaid(generation)
  }
}

function shownStateOfPaid({ captured, refunded, amount, delivery }: Generation) {
  if (refunded) return refunded < (captured ?? 0n) ? 'partly' : 'refunded'
  if (delivery === 'pending') return 'sending'
  if (delivery === 'undeliverable') return 'undelivered'
  return (captured ?? 0n) < amount ? 'partly' : 'done'
}

export interface Receipt {
  readonly generation: Generation
  readonly quote: Quote
  readonly charged: Kopecks
  /** The part of the hold that was released; undefined until the order is settled. */
  readonly returned: Kopecks | undefined
  /** The seeds of its results, as far as the gateway names them. */
  readonly seeds: readonly number[]
}

/** Reads the receipt of an order; undefined for anyone but its owner. */
export async function readReceipt(
  deps: Pick<Deps, 'db'>,
  id: string,
  userId: bigint,
): Promise<Receipt | undefined> {
  const generation = await findGeneration(deps, id, userId)
  const quote = generation && (await findQuote(deps, generation.quoteId))
  if (!generation || !quote) return undefined
  const { captured, settledAt, amount } = generation
  const charged = captured ?? 0n
  const seeds = (await artifactsOf(deps, id)).flatMap(({ seed }) => seed ?? [])
  return { generation, quote, charged, returned: settledAt ? amount - charged : undefined, seeds }
}

/** Marks an order of its owner. An order that has not ended cannot be hidden. */
export async function markOrder(
  { db, clock }: Deps,
  id: string,
  userId: bigint,
  mark: 'favourite' | 'ordinary' | 'hide' | 'show' | 'share' | 'idea' | 'no-idea',
): Promise<void> {
  const now = clock.now()
  const own = and(eq(generations.id, id), isOf(userId))
  const marks = {
    favourite: { favouriteAt: now },
    ordinary: { favouriteAt: null },
    hide: { hiddenAt: now },
    show: { hiddenAt: null },
    share: { sharedAt: now },
    idea: { ideaAt: now },
    'no-idea': { ideaAt: null },
  }
  const where = mark === 'hide' ? and(own, isNotNull(generations.settledAt)) : own
  await db.update(generations).set(marks[mark]).where(where)
}

/** An order whose prompt and settings anybody may use: its user shared it, or an operator made it an idea. */
export async function findShared({ db }: Pick<Deps, 'db'>, id: string): Promise<Generation | undefined> {
  const isPublic = or(isNotNull(generations.sharedAt), isNotNull(generations.ideaAt))
  const [found] = await db
    .select()
    .from(generations)
    .where(and(eq(generations.id, id), isPublic))
  return found
}

/** Orders whose results operators added to `/ideas`, the newest first. */
export const resultsAsIdeas = (
  { db }: Pick<Deps, 'db'>,
  modelIds: readonly string[],
  most: number,
): Promise<Generation[]> =>
  db
    .select()
    .from(generations)
    .where(and(isNotNull(generations.ideaAt), inArray(generations.modelId, [...modelIds])))
    .orderBy(desc(generations.ideaAt))
    .limit(most)

/** The number of paid orders whose results no attempt has delivered, and which wait in the history. */
export const countUndelivered = (db: Database, userId: bigint): Promise<number> =>
  db.$count(
    generations,
    and(
      eq(generations.userId, userId),
      stateIs('succeeded'),
      deliveryIs('undeliverable'),
      isNull(generations.refunded),
    ),
  )

/** The ids of the newest orders of a chat that have ended since then without a word to their user, who had blocked the bot. */
export async function untoldSince(
  db: Database,
  userId: bigint,
  chatId: number,
  since: Date,
): Promise<string[]> {
  const isUntold = and(
    isOf(userId),
    isIn(chatId),
    deliveryIs('undeliverable'),
    gt(generations.settledAt, since),
  )
  const newest = [desc(generations.settledAt), desc(generations.id)]
  const found = await db
    .select({ id: generations.id })
    .from(generations)
    .where(isUntold)
    .orderBy(...newest)
    .limit(5)
  return found.map(({ id }) => id)
}

/** Marks an undeliverable order as delivered, after its owner has fetched the result from the history: no attempt delivered it. */
export async function markFetched({ db, clock }: Deps, id: string): Promise<void> {
  await db
    .update(generations)
    .set({ delivery: 'delivered', deliveredAt: clock.now(), attempts: 0 })
    .where(and(eq(generations.id, id), eq(generations.delivery, 'undeliverable')))
}

/** An order with the id by which the gateway continues its video. */
interface Continuable {
  readonly generation: Generation
  readonly continuedBy: string
}

/**
 * The succeeded generations of a user that the gateway can continue, the newest first.
 * @param of the orders of a model, or one order @param by which id names the video
 */
export async function videosOf(
  db: GenerationDeps['db'],
  userId: bigint,
  of: Partial<Pick<Generation, 'modelId' | 'id'>>,
  by: 'task' | 'result',
  most: number,
): Promise<Continuable[]> {
  const continuedBy = by === 'task' ? generations.taskId : artifacts.resultId
  const { id, modelId } = generations
  const wanted = [of.id && eq(id, of.id), of.modelId && eq(modelId, of.modelId)]
  const first = and(eq(artifacts.generationId, generations.id), eq(artifacts.position, 0))
  const found = await db
    .select({ generation: generations, continuedBy })
    .from(generations)
    .leftJoin(artifacts, first)
    .where(
      and(
        isOf(userId),
        ...wanted.flatMap((one) => one || []),
        eq(generations.state, 'succeeded'),
        isNotNull(continuedBy),
      ),
    )
    .orderBy(desc(generations.createdAt))
    .limit(most)
  return found.flatMap(({ generation, continuedBy }) =>
    continuedBy === null ? [] : { generation, continuedBy },
  )
}

export interface DeliveredFile
  extends Pick<Artifact, 'generationId' | 'position' | 'originalFileId' | 'kind'>,
    Pick<Generation, 'modelId' | 'request' | 'createdAt'> {
  readonly fileId: string
}

/**
 * The files of the newest orders first; the files of one order by position.
 * @param ids the orders; by default all that the user has not removed from the list
 */
export async function deliveredFiles(
  db: Database,
  userId: bigint,
  most: number,
  ids?: readonly string[],
): Promise<DeliveredFile[]> {
  // A file without a message is only the picture of a 3D model.
  const isDelivered = and(isNotNull(artifacts.fileId), isNotNull(artifacts.messageId))
  const { position, fileId, originalFileId, kind } = artifacts
  const { id: generationId, modelId, request, createdAt } = generations
  const found = await db
    .select({ generationId, position, fileId, originalFileId, kind, modelId, request, createdAt })
    .from(generations)
    .innerJoin(artifacts, and(eq(artifacts.generationId, generations.id), isDelivered))
    .where(and(isOf(userId), ids ? inArray(generationId, [...ids]) : isNull(generations.hiddenAt)))
    .orderBy(desc(createdAt), desc(generationId), position)
    .limit(most)
  return found.flatMap(({ fileId, ...file }) => (fileId === null ? [] : { ...file, fileId }))
}
