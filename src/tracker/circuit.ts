// A circuit breaker for all processes. While the gateway cannot be reached, nothing is sold and no process sends it a request;
// after a pause one probe is sent, and its success closes the circuit. The state is the row 'unreachable' of `sales_stops`:
// open until its time, then half open until the row is deleted. Deliveries continue while it is open, and so do the deadlines
// (`expire-held` and `expire-running` in queue.ts).

import { and, gte, type SQL, sql } from 'drizzle-orm'
import { generations, salesStops } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import {
  GatewayError,
  GatewayMalformed,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../gateway/errors.ts'
import { type GenerationDeps, stateIs } from '../generations/generation.ts'
import { isUnreachable, pauseMs, stopSales } from '../sales/sales.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

export interface Circuit {
  /** The gateway has answered, with a result or a refusal. */
  reached(): Promise<void>
  /** A request for this generation got no answer, or none that could be parsed. */
  unreached(id: string): Promise<void>
  /** The generation that was just claimed is the probe. */
  probing(): void
  /** A claim has just found no stop in the database: the circuit is closed. */
  foundClosed(): void
}

const failuresInRow = 8

/** @param opened called when the circuit opens, and when a probe fails; must not reject */
export function createCircuit(
  { db, clock, log }: Pick<GenerationDeps, 'db' | 'clock' | 'log'>,
  limit: ConcurrencyLimit,
  opened: () => Promise<void> = async () => undefined,
): Circuit {
  let failures = 0
  let isProbing = false
  let isOpen = false
  /**
   * The generations whose requests failed. Errors for a single task are not an outage: requests for at least two generations must have
   * failed.
   */
  const failed = new Set<string>()
  const reset = () => {
    failures = 0
    isProbing = false
    isOpen = false
    failed.clear()
  }
  /** A failed write here must not lose the gateway's answer. @returns whether it succeeded */
  const write = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error: unknown) => {
        log.error({ error }, 'the circuit cannot be switched')
        return false
      },
    )

  return {
    async reached() {
      limit.raise()
      const isInDoubt = failures > 0 || isProbing
      reset()
      if (isInDoubt) await write(db.delete(salesStops).where(isUnreachable))
    },
    async unreached(id) {
      limit.halve()
      failures += 1
      if (failed.size < 2) failed.add(id)
      const wasProbing = isProbing
      isProbing = false
      if (failures < failuresInRow || failed.size < 2) return wasProbing ? opened() : undefined
      log.error({ failures }, 'the gateway cannot be reached: sales stopped')
      const isNew = wasProbing || !isOpen
      // If it is not written, no process finds the circuit open, and the next failure tries again.
      if (!(await write(stopSales(db, 'unreachable', clock.now())))) return
      isOpen = true
      if (isNew) await opened()
    },
    probing() {
      isProbing = true
      isOpen = true
      limit.lowerToOne()
    },
    foundClosed() {
      // Another process has closed the circuit since this one found it open: the failures before that no longer count.
      if (isOpen) reset()
    },
  }
}

/** Sends a request to the gateway and reports to the circuit whether it was reached. */
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
    if (isUnreached(error)) await circuit.unreached(id)
    else if (error instanceof GatewayError) await circuit.reached()
    throw error
  }
}

/** JSON that cannot be understood concerns one model, or one operation: the gateway can be reached. */
function isUnreached(error: unknown): boolean {
  if (error instanceof GatewayMalformed) return !error.isJson
  return error instanceof GatewayUnavailable || error instanceof GatewayUnknownOutcome
}

/** Part of the statement that claims work for the gateway (queue.ts). It locks the row, so that only one process probes. */
export const stop = sql`stop as (select until from ${salesStops} where ${isUnreachable} for update)`

/** A condition on any statement. A request that was prepared before the circuit opened must not be sent. */
export const hasOpenedSince = (time: Date): SQL =>
  sql`exists (select from ${salesStops} where ${and(isUnreachable, gte(salesStops.since, time))})`

/** How many rows may be claimed: one while the circuit is half open, none while it is open. @param mayProbe an SQL condition */
export const claimLimit = (most: number, at: SQL, mayProbe = sql`true`): SQL =>
  sql`coalesce((select case when until <= ${at} and ${mayProbe} then 1 else 0 end from stop), ${most}::integer)`

/** Reserves the probe: no other probe is sent until this one has had time to be answered. */
export const probe = (now: Date, at: SQL): SQL => {
  const until = timestamp(now, pauseMs.unreachable)
  return sql`probe as (
    update ${salesStops} set until = ${until} where ${isUnreachable} and until <= ${at} and exists (select from due))`
}

export const isOpen = (at: SQL): SQL =>
  sql`exists (select from ${salesStops} where ${isUnreachable} and until > ${at})`

/**
 * A condition for a submit as the probe: no look is due. A lost look does no harm, but a submit whose answer is lost makes its user wait
 * for ten minutes.
 */
export const noLookIsDue = (at: SQL): SQL =>
  sql`not exists (select from ${generations} where ${stateIs('running')} and ${generations.nextCheckAt} <= ${at})`
