// The circuit breaker of this process. After several failures in a row it opens: sales stop, for all processes, and this one sends the
// gateway nothing for a while. Then one request, the probe, shows whether the gateway can be reached again. Orders that would ask the
// gateway meanwhile are put off; deliveries and deadlines go on.

import type { Database } from '../db/client.ts'
import { salesStops } from '../db/schema.ts'
import {
  GatewayError,
  GatewayMalformed,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../gateway/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { isUnreachable, pauseMs, stopSales } from '../sales/sales.ts'

export type Breaker = ReturnType<typeof createBreaker>

const failuresInRow = 8
/** The pause of other requests while the probe is under way. */
const probeMs = 3000

export function createBreaker({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  /** The generations whose last requests in a row have failed. Errors for a single one are no outage. */
  let failed: readonly string[] = []
  let open: { readonly since: Date; readonly until: Date } | undefined
  let isProbing = false

  /** A failed write must not lose the gateway's answer. */
  const written = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.error({ error }, 'the stop of sales cannot be written'))

  const reached = async () => {
    failed = []
    if (!open) return
    open = undefined
    await written(db.delete(salesStops).where(isUnreachable))
  }
  const unreached = async (id: string) => {
    failed = [...failed, id]
    if (failed.length < failuresInRow || failed.every((one) => one === id)) return
    log.error({ failures: failed.length }, 'the gateway cannot be reached: sales stopped')
    const now = clock.now()
    open = { since: open?.since ?? now, until: new Date(now.getTime() + pauseMs.unreachable) }
    await written(stopSales(db, 'unreachable', now))
  }
  /** In how many milliseconds a request may be sent, as far as is known; 0 when one may be sent now. */
  const waitMs = () => {
    if (!open) return 0
    return isProbing ? probeMs : Math.max(0, open.until.getTime() - clock.now().getTime())
  }

  return {
    waitMs,
    /** Since when the gateway cannot be reached; undefined while the breaker is closed. */
    openSince: (): Date | undefined => open?.since,
    /** Sends a request for a generation. @throws GatewayUnavailable also when the breaker has opened: the request was not sent */
    async ask<T>(id: string, call: () => Promise<T>): Promise<T> {
      const heldMs = waitMs()
      if (heldMs) throw new GatewayUnavailable('request', 'the gateway cannot be reached', heldMs)
      const probes = open !== undefined
      if (probes) isProbing = true
      try {
        const answer = await call()
        await reached()
        return answer
      } catch (error) {
        if (isUnreached(error)) await unreached(id)
        else if (error instanceof GatewayError) await reached()
        throw error
      } finally {
        if (probes) isProbing = false
      }
    },
  }
}

/** JSON that cannot be understood concerns one model, or one operation: the gateway can be reached. */
function isUnreached(error: unknown): boolean {
  if (error instanceof GatewayMalformed) return !error.isJson
  return error instanceof GatewayUnavailable || error instanceof GatewayUnknownOutcome
}
