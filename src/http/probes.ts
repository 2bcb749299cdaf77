// What a supervisor asks: alive, ready, and what was counted.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../metrics.ts'
import { end, isSame } from './request.ts'

export interface ProbeDeps {
  /** Whether work can be done: the database answers, and we were not told to stop. */
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
  /** Who shows it may read the metrics; undefined shows them to nobody. */
  readonly metricsToken: string | undefined
}

/** @returns false when it is not a probe */
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
