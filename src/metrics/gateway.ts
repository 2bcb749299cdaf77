// Metrics of requests to the gateway, by operation and outcome. Errors are recognised by name: this folder does not import the gateway.

import { Counter, Histogram, type Registry } from 'prom-client'
import type { Ended } from './measured.ts'
import { type LabelValues, startAtZero } from './start-at-zero.ts'

export interface GatewayMetrics {
  /** A request ended; `error` is undefined when it succeeded. */
  readonly asked: Ended
}

const outcomes: Readonly<Record<string, string>> = {
  GatewayRefused: 'refused',
  GatewayUnauthorised: 'unauthorised',
  GatewayOutOfBalance: 'out-of-balance',
  GatewayUnavailable: 'unavailable',
  GatewayRateLimited: 'rate-limited',
  GatewayUnknownOutcome: 'unknown',
  GatewayMalformed: 'malformed',
}

/** A synchronous result may take three minutes. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]

export function createGatewayMetrics(registry: Registry, { operations }: LabelValues): GatewayMetrics {
  const registers = [registry]
  const requests = new Counter({
    name: 'bot_gateway_requests_total',
    help: 'Requests to the gateway',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'bot_gateway_seconds',
    help: 'How long the gateway took, for streams until their end',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  startAtZero(requests, { operation: operations, outcome: ['done', ...Object.values(outcomes), 'error'] })
  return {
    asked(operation, error, elapsedMs) {
      requests.inc({ operation, outcome: outcomeOf(error) })
      seconds.observe({ operation }, elapsedMs / 1000)
    },
  }
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'done'
  return (error instanceof Error && outcomes[error.name]) || 'error'
}
