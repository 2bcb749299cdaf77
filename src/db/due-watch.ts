// Wakes the loops whose queues have due rows. One statement asks for all queues of the process, so that an idle process sends one
// every few seconds. New rows wake their loops by nudges; the watch finds rows that have become due, rows that a process left
// behind, and rows whose nudge was lost.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { leaseMs } from '../runtime/leases.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop, shortestIdleMs } from '../runtime/loop.ts'
import { type Database, rows } from './client.ts'

/** An SQL expression: the time from which a row of the queue can be claimed; null when the queue is empty. */
type NextDue = (now: Date) => SQL

/** A loop that works on a table as a queue. */
export interface QueueLoop extends Loop {
  readonly nextDue: NextDue
}

export const isQueueLoop = (loop: Loop): loop is QueueLoop => 'nextDue' in loop

/** The longest sleep of queue loops, as a fallback: new rows wake them by a nudge, due rows through the watch. */
export const queueIdleMs = 5 * 60_000

/** The sleep of the watch while no queue has any row. */
const emptyMs = 3000
/**
 * The longest sleep while a queue has rows, since another process may put a row off to any time. The look budget holds the tokens of one
 * second, so with longer sleeps some tokens would expire.
 */
const longestMs = 1000

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

interface Settings {
  readonly loops: readonly QueueLoop[]
  readonly pollIntervalMs: number
}

export function createDueWatch(deps: Deps, { loops, pollIntervalMs }: Settings): Loop {
  const { db, clock } = deps
  const liveMs = Math.min(Math.max(pollIntervalMs / 3, shortestIdleMs), longestMs)

  const pass = async () => {
    const now = clock.now()
    const times = await nextTimes(db, loops, now).catch(() => nextOfEach(deps, loops, now))
    const waits = times.map((time) => (time ? Math.max(0, time.getTime() - now.getTime()) : undefined))
    for (const [at, loop] of loops.entries()) if (waits[at] === 0) loop.nudge()
    const known = waits.filter((ms) => ms !== undefined)
    if (known.length === 0) return emptyMs
    // Rows that are due already do not shorten the sleep: they may have to wait for a free place.
    const ahead = known.filter((ms) => ms > 0)
    return Math.max(shortestIdleMs, Math.min(liveMs, ...ahead))
  }
  const failed = 'due rows cannot be looked for'
  return createLoop(deps, { pass, idleMs: longestMs, limitMs: leaseMs, failed })
}

const answer = z.object({ at: z.int(), time: z.coerce.date().nullable() })

/**
 * Asks for each queue by a statement of its own, after the common statement failed, so that a queue that cannot be read does not stop the
 * others.
 * @throws when no queue can be read
 */
async function nextOfEach(
  { db, log }: Deps,
  loops: readonly QueueLoop[],
  now: Date,
): Promise<(Date | undefined)[]> {
  const asked = await Promise.allSettled(loops.map((loop) => nextTimes(db, [loop], now)))
  const failed = asked.filter((one) => one.status === 'rejected')
  if (failed.length === loops.length) throw failed[0]?.reason
  for (const { reason } of failed) log.error({ error: reason }, 'due rows of a queue cannot be looked for')
  return asked.map((one) => (one.status === 'fulfilled' ? one.value[0] : undefined))
}

/** The next due time of each queue; undefined when a queue is empty. */
async function nextTimes(
  db: Database,
  loops: readonly QueueLoop[],
  now: Date,
): Promise<(Date | undefined)[]> {
  const selects = loops.map(
    ({ nextDue }, at) => sql`select ${sql.raw(`${at}`)} as at, ${nextDue(now)} as time`,
  )
  const found = await rows(db, sql.join(selects, sql` union all `), answer)
  return loops.map((_, at) => found.find((one) => one.at === at)?.time ?? undefined)
}
