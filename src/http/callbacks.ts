// The gateway's callbacks: POST with any body, or GET with a query. The response is 200 only after the callback was stored, and 5xx when
// the database fails, so that the gateway repeats the callback.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OrderMetrics } from '../metrics.ts'
import { idsOf, receiveCallback } from '../orders/callback.ts'
import type { GenerationDeps } from '../orders/generation.ts'
import type { Tracker } from '../orders/worker.ts'
import { createAllowance } from '../runtime/clock.ts'
import { end, readText } from './request.ts'

export interface CallbackDeps
  extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs' | 'callbackTokens'> {
  readonly tracker: Pick<Tracker, 'nudge'>
  readonly metrics: { readonly orders: Pick<OrderMetrics, 'calledBack'> }
}

export type Route = (req: IncomingMessage, res: ServerResponse) => Promise<void>

export const callbackPath = (token: string): string => `/callbacks/${token}`
const tokenPattern = /^\/callbacks\/([a-z0-9]{32})$/
const maxBytes = 64 * 1024

/**
 * How many unsigned tokens are looked up; a forged one is refused without a statement. They may belong to orders from before a change of
 * the bot's token.
 */
const unsigned = { perSecond: 5, most: 10 }

/** @returns the route of a path; undefined for other paths */
export function createCallbackRoutes(deps: CallbackDeps): (path: string) => Route | undefined {
  const takeUnsignedLookup = createAllowance(deps.clock, unsigned)
  const receive = async (token: string, req: IncomingMessage) => {
    if (!deps.callbackTokens.isSigned(token) && !takeUnsignedLookup()) return false
    const isKnown = await receiveCallback(deps, token, await idsFrom(req))
    if (isKnown) deps.tracker.nudge()
    return isKnown
  }
  return (path) => {
    const [, token] = tokenPattern.exec(path) ?? []
    if (!token) return undefined
    return async (req, res) => {
      const isKnown = await receive(token, req)
      deps.metrics.orders.calledBack(isKnown)
      end(res, isKnown ? 200 : 404)
    }
  }
}

async function idsFrom(req: IncomingMessage) {
  const body = req.method === 'POST' ? await readText(req, maxBytes) : undefined
  return idsOf(queryOf(req), body ?? '')
}

const queryOf = ({ url = '' }: IncomingMessage): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
