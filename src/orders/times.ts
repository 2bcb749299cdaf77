// How long orders take: when a task is polled and given up, how long the tasks of a model may run, how long its orders usually take, and
// which orders are under way.

import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Model } from '../catalog/model.ts'
import { oneRow, rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { type Clock, dayMs, hourMs, minuteMs } from '../runtime/clock.ts'
import { type Generation, type GenerationDeps, stateIs } from './generation.ts'

// Pure timing rules, in milliseconds.

/** How long a generation may wait for a gateway that accepts no orders. */
export const submitDeadlineMs = 10 * minuteMs
/** How long after a lost answer to a submit a callback may still reveal the task. */
export const unknownGraceMs = 10 * minuteMs
/** The shortest such time, when the loss is found late: the submitting process may be alive and have the answer. */
export const shortestGraceMs = minuteMs
/**
 * How long a task may run; the next look after that decides. It is twice the slowest of the model's last tasks, within these limits.
 */
const runLimit = { shortestMs: 30 * minuteMs, longestMs: 4 * hourMs, slowestTimes: 2 }
/** How much longer a task waits for that last look while the gateway cannot be reached. */
export const lastLookMs = 10 * minuteMs
/** For how long, and how often, the task of a refunded order is still asked about. Its result is delivered free. */
export const lateLooks = { forMs: dayMs, pauseMs: 10 * minuteMs }

/** A task is lost when the gateway does not know it in this many looks in a row, each at least this long after the previous. */
export const missingTaskLooks = { looks: 5, apartMs: minuteMs / 2 }

/** The pause between two polls of the ids that callbacks named for an order without a task. The gateway may know one a little later. */
export const candidatesApartMs = minuteMs / 2

/**
 * The pause before the next look: a sixth of the elapsed time, at least the shortest pause and at most 20 times that, with ±20 % jitter.
 */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}

// How long a task may run before its order is refunded: the operator's limit of its model, or a multiple of the model's slowest tasks. A
// task that was refunded too early may still be charged by the gateway.

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'catalog'>

export interface RunLimits {
  /** The time limit of a model's tasks, in milliseconds. */
  of(model: Model): Promise<number>
}

/** The tasks and orders of a model that count: its last ones within 30 days. They are read again after ten minutes. */
const lastTasks = 100
const lastOrders = 50
const lastMs = 30 * dayMs
const freshMs = 10 * minuteMs

export function createRunLimits(deps: Deps): RunLimits {
  const remembered = createRemembered<number>(deps.clock, () => freshMs)
  const read = async (model: Model) => within((await slowestMs(deps, model)) * runLimit.slowestTimes)
  return {
    of: async (model) => deps.catalog.giveUpAfterMs(model) ?? remembered(model.id, () => read(model)),
  }
}

const within = (ms: number): number => Math.min(Math.max(ms, runLimit.shortestMs), runLimit.longestMs)

/** The time of the slowest counted task. Results that arrived after a refund count too, so they raise the limit. */
async function slowestMs({ db, clock }: Deps, { id }: Model): Promise<number> {
  const query = sql`
    select coalesce(max(extract(epoch from ended - submitted_at)), 0) as seconds from (
      select submitted_at, coalesce(arrived_late_at, settled_at) as ended from ${generations}
      where model_id = ${id} and task_id is not null and submitted_at is not null
        and (${stateIs('succeeded')} or arrived_late_at is not null)
        and settled_at > ${timestamp(clock.now(), -lastMs)}
      order by settled_at desc limit ${lastTasks}::integer
    ) last_tasks`
  const [slowest] = await rows(db, query, z.object({ seconds: z.coerce.number() }))
  return (slowest?.seconds ?? 0) * 1000
}

/** Orders of earlier versions have no deadline of their own. */
export function deadlineOf({ deadlineAt, submittedAt, createdAt }: Generation): Date {
  return deadlineAt ?? new Date((submittedAt ?? createdAt).getTime() + runLimit.shortestMs)
}

// Orders under way, and how long they usually take.

/** The number of older orders that also wait for their submit. The condition on `next_check_at` lets the partial index be used. */
export const aheadOf = (
  { db }: Pick<GenerationDeps, 'db'>,
  { createdAt }: Pick<Generation, 'createdAt'>,
): Promise<number> =>
  db.$count(
    generations,
    and(
      stateIs('held'),
      isNotNull(generations.nextCheckAt),
      isNull(generations.lease),
      lt(generations.createdAt, createdAt),
    ),
  )

/** As many as fit into one message. */
const mostShown = 15

/** The newest orders of a user that have not ended. @param chatId leaves out other chats */
export const ordersUnderWay = (
  { db }: Pick<GenerationDeps, 'db'>,
  userId: bigint,
  chatId: number | undefined,
): Promise<Generation[]> =>
  db
    .select()
    .from(generations)
    .where(
      and(
        eq(generations.userId, userId),
        chatId === undefined ? undefined : eq(generations.chatId, chatId),
        isNull(generations.settledAt),
      ),
    )
    .orderBy(desc(generations.createdAt))
    .limit(mostShown)

/** How long orders of a model usually take, from the confirmation to the delivery. */
export interface UsualTimes {
  /** The usual time in milliseconds; undefined while too few orders of the model have been delivered. */
  of(modelId: string): Promise<number | undefined>
}

/** So many orders are needed to tell the usual time. */
const fewestOrders = 3
/** For how long the result is kept while too few orders have been delivered. */
const unknownMs = minuteMs

/** Each process reads the usual time of a model at most once in ten minutes. */
export function createUsualTimes({ db, clock }: Pick<GenerationDeps, 'db' | 'clock'>): UsualTimes {
  const remembered = createRemembered(clock, (usualMs: number | undefined) =>
    usualMs === undefined ? unknownMs : freshMs,
  )
  return { of: (modelId) => remembered(modelId, () => medianMs(db, modelId, clock.now())) }
}

async function medianMs(db: GenerationDeps['db'], modelId: string, now: Date): Promise<number | undefined> {
  const query = sql`
    select count(*) as orders, coalesce(percentile_cont(0.5) within group (order by seconds), 0) as seconds from (
      select extract(epoch from delivered_at - created_at) as seconds from ${generations}
      where model_id = ${modelId} and ${stateIs('succeeded')} and delivered_at is not null
        and settled_at > ${timestamp(now, -lastMs)}
      order by settled_at desc limit ${lastOrders}::integer
    ) last_orders`
  const schema = z.object({ orders: z.coerce.number(), seconds: z.coerce.number() })
  const { orders, seconds } = await oneRow(db, query, schema)
  return orders >= fewestOrders ? seconds * 1000 : undefined
}

type Remembered<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** A cache: a value is read again when it is older than its time. @param freshMs how long a value is used before it is read again */
function createRemembered<Value>(
  clock: Pick<Clock, 'now'>,
  freshMs: (value: Value) => number,
): Remembered<Value> {
  const known = new Map<string, { readonly value: Value; readonly readAt: number }>()
  return async (key, read) => {
    const now = clock.now().getTime()
    const before = known.get(key)
    if (before && now - before.readAt < freshMs(before.value)) return before.value
    const value = await read()
    known.set(key, { value, readAt: now })
    return value
  }
}
