// Finds out with one statement what is due, and sleeps until the next row is due. While there is nothing to do, this statement
// replaces the claims of all kinds.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRow } from '../db/client.ts'
import { isFree } from '../db/leased-queue.ts'
import { generations, salesStops } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { deliveryIs, type GenerationDeps, isAwaited, stateIs } from '../generations/generation.ts'
import { leaseMs } from '../runtime/leases.ts'
import { createLoop, type Loop, shortestIdleMs } from '../runtime/loop.ts'
import { isUnreachable } from '../sales/sales.ts'
import { hasDue } from './candidates.ts'
import { type Kind, kinds } from './queue.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'pollIntervalMs'>

interface GenerationWatch extends Loop {
  /** Tells the watch when a row that this process has written becomes due. */
  dueAt(time: Date): void
}

/** Rows that other processes have left behind, and those with an expired lease, are found after this at the latest. */
const longestSleepMs = 5000
/**
 * The longest pause between passes while rows are due. Without a pause, rows that are due and cannot be claimed yet would load the
 * database.
 */
const longestBusyMs = 1000

export function createGenerationWatch(deps: Deps, onDue: (kinds: readonly Kind[]) => void): GenerationWatch {
  const { clock, pollIntervalMs } = deps
  const busyMs = Math.min(Math.max(pollIntervalMs / 3, shortestIdleMs), longestBusyMs)
  const sleepMs = Math.min(Math.max(pollIntervalMs * 2, shortestIdleMs), longestSleepMs)
  /** When the next pass begins; unknown during a pass. */
  let wakesAt = Number.POSITIVE_INFINITY
  let alarm = new AbortController()

  const wakeAt = (time: number) => {
    if (time >= wakesAt) return
    wakesAt = time
    alarm.abort('earlier')
    alarm = new AbortController()
    const { signal } = alarm
    void clock.wait(Math.max(0, time - clock.now().getTime()), signal).then(() => {
      if (!signal.aborted) loop.nudge()
    })
  }

  const pass = async () => {
    alarm.abort('awake')
    wakesAt = Number.POSITIVE_INFINITY
    const { due, nextAt } = await whatIsDue(deps)
    if (due.length > 0) onDue(due)
    const again = due.length > 0 ? clock.now().getTime() + busyMs : nextAt?.getTime()
    if (again !== undefined) wakeAt(again)
    return false
  }

  const loop = createLoop(deps, {
    pass,
    idleMs: sleepMs,
    limitMs: leaseMs,
    failed: 'due generations cannot be looked for',
  })
  return {
    ...loop,
    dueAt: (time) => wakeAt(time.getTime()),
    async stop() {
      await loop.stop()
      alarm.abort('stopped')
    },
  }
}

interface Due {
  readonly due: readonly Kind[]
  /** The earliest time at which a further row becomes due. */
  readonly nextAt: Date | null
}

const found = z.object({
  held: z.boolean(),
  running: z.boolean(),
  lost: z.boolean(),
  named: z.boolean(),
  awaited: z.boolean(),
  ended: z.boolean(),
  stopped: z.boolean(),
  next_at: z.coerce.date().nullable(),
})

async function whatIsDue({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Due> {
  const now = clock.now()
  const at = timestamp(now)
  const { nextCheckAt } = generations
  const any = (which: SQL, due: SQL = sql`${nextCheckAt} <= ${at}`) =>
    sql`exists (select from ${generations} where ${which} and ${due} and ${isFree(generations, now)})`
  const statement = sql`select
    ${any(stateIs('held'))} as held,
    ${any(stateIs('running'))} as running,
    ${any(stateIs('submitting', 'unknown'))} as lost,
    ${any(stateIs('unknown'), sql`${nextCheckAt} is not null and ${hasDue(at)}`)} as named,
    ${any(isAwaited)} as awaited,
    ${any(deliveryIs('pending'))} as ended,
    exists (select from ${salesStops} where ${isUnreachable}) as stopped,
    (select ${nextCheckAt} from ${generations} where ${nextCheckAt} > ${at} order by ${nextCheckAt} limit 1) as next_at`
  const row = await oneRow(db, statement, found)
  return { due: kindsOf(row), nextAt: row.next_at }
}

/** Orders end without a request (`expire-held`, `expire-running`) only while the gateway cannot be reached. */
function kindsOf({ held, running, lost, named, awaited, ended, stopped }: z.output<typeof found>): Kind[] {
  const is: Readonly<Record<Kind, boolean>> = {
    submit: held,
    look: running,
    'look-at-candidate': named,
    'look-after-refund': awaited,
    'end-lost-submit': lost,
    'expire-held': held && stopped,
    'expire-running': running && stopped,
    deliver: ended,
  }
  return kinds.filter((kind) => is[kind])
}
