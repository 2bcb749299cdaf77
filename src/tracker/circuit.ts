// The circuit: when the gateway can not be reached, nothing is sold and it is asked nothing, by any process; after a while one
// probe goes first, and its success closes the circuit. It is the row 'unreachable' of `sales_stops`: open until its time,
// then half open until it is gone. Deliveries go on meanwhile, and so do the deadlines: see `late` in queue.ts.

import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import { generations, salesStops } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { GatewayError, GatewayUnavailable, GatewayUnknownOutcome } from '../gateway/errors.ts'
import type { GenerationDeps } from '../generations/generation.ts'
import { pauseMs, stopSales } from '../sales/sales.ts'
import type { Window } from './concurrency-limit.ts'

export interface Circuit {
  /** The gateway answered, whatever it said. */
  reached(): Promise<void>
  /** It was asked about this generation, and there was no answer that could be understood. */
  unreached(id: string): Promise<void>
  /** What was just claimed is the probe. */
  probing(): void
  /** Whoever prepared something since then must not send it. */
  openedSince(time: Date): Promise<boolean>
}

const failuresInRow = 8
const isStop = eq(salesStops.cause, 'unreachable')

export function createCircuit(
  { db, clock, log }: Pick<GenerationDeps, 'db' | 'clock' | 'log'>,
  window: Window,
): Circuit {
  let failures = 0
  let isProbing = false
  /** A single task that the gateway chokes on is no outage. */
  const failed = new Set<string>()
  const reset = () => {
    failures = 0
    isProbing = false
    failed.clear()
  }
  /** What the gateway answered must not be lost because this can not be written. */
  const write = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.error({ error }, 'the circuit can not be switched'))

  return {
    async reached() {
      window.grow()
      const isInDoubt = failures > 0 || isProbing
      reset()
      if (isInDoubt) await write(db.delete(salesStops).where(isStop))
    },
    async unreached(id) {
      window.halve()
      failures += 1
      if (failed.size < 2) failed.add(id)
      if (failures < failuresInRow || failed.size < 2) return
      log.error({ failures }, 'the gateway can not be reached: sales stopped')
      await write(stopSales(db, 'unreachable', clock.now()))
    },
    probing() {
      isProbing = true
      window.shut()
    },
    async openedSince(time) {
      const opened = and(isStop, gte(salesStops.since, time))
      return (await db.select().from(salesStops).where(opened)).length > 0
    },
  }
}

/** Asks the gateway, and tells the circuit whether it can be reached. */
export async function ask<T>(
  { circuit }: { readonly circuit: Circuit },
  id: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await call()
    await circuit.reached()
    return answer
  } catch (error) {
    const isUnreached = error instanceof GatewayUnavailable || error instanceof GatewayUnknownOutcome
    if (isUnreached) await circuit.unreached(id)
    else if (error instanceof GatewayError) await circuit.reached()
    throw error
  }
}

/** Parts of the statement that claims what asks the gateway (queue.ts). Its row is locked, so that there is one probe. */
export const stop = sql`stop as (select until from ${salesStops} where ${isStop} for update)`

/** How many may be claimed: while it is half open one, while it is open none. @param mayProbe a condition */
export const places = (most: number, at: SQL, mayProbe = sql`true`): SQL =>
  sql`coalesce((select case when until <= ${at} and ${mayProbe} then 1 else 0 end from stop), ${most}::integer)`

/** Nobody else probes until this one had its time. */
export const probe = (now: Date, at: SQL): SQL => {
  const until = timestamp(now, pauseMs.unreachable)
  return sql`probe as (
    update ${salesStops} set until = ${until} where ${isStop} and until <= ${at} and exists (select from due))`
}

export const isOpen = (at: SQL): SQL =>
  sql`exists (select from ${salesStops} where ${isStop} and until > ${at})`

/** A look does no harm; a submit whose answer is lost costs its user ten minutes: it probes only if there is no look to do. */
export const noLookIsDue = (at: SQL): SQL =>
  sql`not exists (select from ${generations} where state = 'running' and next_check_at <= ${at})`
