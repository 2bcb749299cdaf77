// Metrics of Telegram's updates: received, handled, failed, and how long they took.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { startAtZero } from './start-at-zero.ts'

const outcomes = ['done', 'failed', 'given-up', 'set-aside'] as const
export type Handled = (typeof outcomes)[number]

export interface UpdateMetrics {
  /** @param kind the name of the update's content field: `message`, `callback_query`, … */
  received(kind: string): void
  /** @param sinceMs time since the update was received */
  handled(outcome: Handled, sinceMs: number): void
  /** What Telegram says of the webhook. @param errorAt in seconds; 0 for no error */
  webhook(pending: number, errorAt: number): void
}

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

export function createUpdateMetrics(registry: Registry): UpdateMetrics {
  const registers = [registry]
  const received = new Counter({
    name: 'bot_updates_received_total',
    help: 'Received updates, without repeated ones',
    labelNames: ['kind'],
    registers,
  })
  const handled = new Counter({
    name: 'bot_updates_handled_total',
    help: 'Attempts to handle an update, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'bot_update_seconds',
    help: 'From the arrival of an update to the end of its handling',
    buckets,
    registers,
  })
  const pendingUpdates = new Gauge({
    name: 'bot_webhook_pending_updates',
    help: 'Updates that wait at Telegram, in processes that send alarms',
    registers,
  })
  const lastError = new Gauge({
    name: 'bot_webhook_last_error_timestamp_seconds',
    help: 'When Telegram could not deliver an update to the webhook, in processes that send alarms',
    registers,
  })
  startAtZero(handled, { outcome: outcomes })
  return {
    received: (kind) => received.inc({ kind: nameOrOther(kind) }),
    handled(outcome, sinceMs) {
      handled.inc({ outcome })
      seconds.observe(sinceMs / 1000)
    },
    webhook(pending, errorAt) {
      pendingUpdates.set(pending)
      lastError.set(errorAt)
    },
  }
}

/** An update may contain any field names: only those in Telegram's style become labels. */
const nameOrOther = (kind: string): string => (/^[a-z_]{3,40}$/.test(kind) ? kind : 'other')
