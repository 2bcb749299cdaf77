// Every process follows the database's clock: leases and deadlines are written by one process and read by others, and the clocks of
// their machines may differ.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AdjustableClock, Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Database, oneRow } from './client.ts'

const everyMs = 15_000
/** Smaller differences are ignored; leases are a hundred times longer. */
const toleratedMs = 200

/** Whether a clock can be corrected; false for the clocks of tests. */
export const isAdjustable = (clock: Clock): clock is AdjustableClock => 'adjust' in clock

const answer = z.object({ now: z.coerce.date() })

/** Corrects the clock by the database's time. That time was read at an unknown moment between the query and its answer. */
export async function synchronise(db: Database, clock: AdjustableClock, log: Log): Promise<void> {
  const asked = clock.now().getTime()
  const { now } = await oneRow(db, sql`select clock_timestamp() as now`, answer)
  const answered = clock.now().getTime()
  const offsetMs = now.getTime() - (asked + answered) / 2
  if (Math.abs(offsetMs) <= toleratedMs + (answered - asked) / 2) return
  clock.adjust(offsetMs)
  log.warn({ offsetMs: Math.round(offsetMs) }, 'clock corrected by the database')
}

export const createSynchronisation = (db: Database, clock: AdjustableClock, log: Log): Loop =>
  createLoop(
    { clock, log },
    {
      pass: () => synchronise(db, clock, log).then(() => false),
      idleMs: everyMs,
      failed: 'the time of the database cannot be read',
    },
  )
