// Probes of a supervisor: liveness, readiness and metrics.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../metrics.ts'
import { isSame } from '../runtime/is-same.ts'
import { end } from './request.ts'

export interface ProbeDeps {
  /** True when the database answers and the process is not stopping. */
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
  /** Bearer token for /metrics; undefined disables it. */
  readonly metricsToken: string | undefined
}

/** @returns false when the request is not a probe */
export async function answerProbe(
  deps: ProbeDeps,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  if (path === '/healthz') end(res, 200)
  else if (path === '/readyz') end(res, (await deps.isReady()) ? 200 : 503)
  else if (path === '/metrics') await showMetrics(deps, req, res)
  else return false
  return true
}

async function showMetrics({ metrics, metricsToken }: ProbeDeps, req: IncomingMessage, res: ServerResponse) {
  if (metricsToken === undefined) return end(res, 404)
  if (!isSame(req.headers.authorization ?? '', `Bearer ${metricsToken}`)) return end(res, 401)
  const text = await metrics.render()
  res.writeHead(200, { 'content-type': metrics.contentType }).end(text)
}
