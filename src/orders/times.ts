// How long orders take: when a task is polled and given up, how long the tasks of a model may run, and how long its orders usually take.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { Model } from '../catalog/model.ts'
import { type Database, oneRow } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { type Clock, dayMs, hourMs, minuteMs } from '../runtime/clock.ts'

/** How long a generation may wait for a gateway that accepts no orders. */
export const submitDeadlineMs = 10 * minuteMs
/** How long after a lost answer to a submit a callback may still reveal the task. */
export const unknownGraceMs = 10 * minuteMs
/** The shortest such time, when the loss is found late: the submitting process may be alive and have the answer. */
export const shortestGraceMs = minuteMs
/** How long a task may run; the next poll after that decides. It is twice the slowest of the model's last tasks, within these limits. */
const runLimit = { shortestMs: 30 * minuteMs, longestMs: 4 * hourMs, slowestTimes: 2 }
/** How much longer a task waits for that last poll while the gateway cannot be reached. */
export const lastLookMs = 10 * minuteMs
/** For how long, and how often, the task of a refunded order is still asked about. Its result is delivered free. */
export const lateLooks = { forMs: dayMs, pauseMs: 10 * minuteMs }
/** A task is lost when the gateway does not know it in this many polls in a row, each at least this long after the previous. */
export const missingTaskLooks = { looks: 5, apartMs: minuteMs / 2 }
/** The pause between two polls of the ids that callbacks named for an order without a task. The gateway may know one a little later. */
export const candidatesApartMs = minuteMs / 2

/** The pause before the next poll: a sixth of the elapsed time, from the shortest pause to 20 times that, with ±20 % jitter. */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}

type Times = Pick<typeof generations.$inferSelect, 'deadlineAt' | 'submittedAt' | 'createdAt'>

/** When a task is given up. Orders of earlier versions have no deadline of their own. */
export const deadlineOf = ({ deadlineAt, submittedAt, createdAt }: Times): Date =>
  deadlineAt ?? new Date((submittedAt ?? createdAt).getTime() + runLimit.shortestMs)

/** What the last orders of each model tell about its next ones. A process reads them at most once in ten minutes. */
export interface OrderTimes {
  /**
   * How long a task may run before its order is refunded, in milliseconds: the operator's limit of the model, or a multiple of its slowest
   * task. A task that was refunded too early may still be charged by the gateway.
   */
  limitMs(model: Model): Promise<number>
  /** The time from the confirmation to the delivery within which four of five orders are delivered; the catalog's while there are few. */
  usualMs(model: Model): Promise<number>
}

const freshMs = 10 * minuteMs
/** The fewest delivered orders from which the usual time is computed. With fewer, the result is cached for a shorter time. */
const fewestOrders = 3
const fewMs = minuteMs

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly catalog: Pick<Catalog, 'giveUpAfterMs' | 'usualMs'>
}

export function createTimes({ db, clock, catalog }: Deps): OrderTimes {
  const known = new Map<string, { readonly read: Awaited<ReturnType<typeof readTimes>>; until: number }>()
  const timesOf = async (modelId: string) => {
    const now = clock.now()
    const before = known.get(modelId)
    if (before && now.getTime() < before.until) return before.read
    const read = await readTimes(db, modelId, now)
    known.set(modelId, { read, until: now.getTime() + (read.orders < fewestOrders ? fewMs : freshMs) })
    return read
  }
  return {
    async limitMs(model) {
      const asked = catalog.giveUpAfterMs(model)
      if (asked !== undefined) return asked
      const { slowest } = await timesOf(model.id)
      return Math.min(
        Math.max(slowest * 1000 * runLimit.slowestTimes, runLimit.shortestMs),
        runLimit.longestMs,
      )
    },
    async usualMs(model) {
      const { orders, usual } = await timesOf(model.id)
      return orders < fewestOrders ? catalog.usualMs(model) : usual * 1000
    },
  }
}

/** The last fifty orders of a model within 30 days count. Results that arrived after a refund raise the limit, too. */
const readTimes = (db: Database, modelId: string, now: Date) =>
  oneRow(
    db,
    sql`
      select count(took) as orders, coalesce(percentile_disc(0.8) within group (order by took), 0) as usual, coalesce(max(ran), 0) as slowest
      from (
        select extract(epoch from case when arrived_late_at is null then delivered_at - created_at end) as took,
          extract(epoch from case when task_id is not null then coalesce(arrived_late_at, settled_at) - submitted_at end) as ran
        from ${generations}
        where model_id = ${modelId} and (${isOneOf(generations.state, 'succeeded')} or arrived_late_at is not null)
          and settled_at > ${timestamp(now, -30 * dayMs)}
        order by settled_at desc limit 50
      ) last_orders`,
    z.object({ orders: z.coerce.number(), usual: z.coerce.number(), slowest: z.coerce.number() }),
  )
