// Metrics of generations: confirmed, polled, called back, settled, delivered.

import { Counter, Histogram, type Registry } from 'prom-client'
import { type LabelValues, startAtZero } from './start-at-zero.ts'

export const deliveryOutcomes = ['delivered', 'undeliverable', 'later'] as const
export type Delivered = (typeof deliveryOutcomes)[number]

const lookStatuses = ['queued', 'processing', 'completed', 'failed', 'canceled', 'unread']

export interface OrderMetrics {
  /** An order was confirmed and its price held. */
  confirmed(model: string): void
  /** @param ending `succeeded` or the reason of the failure @param sinceMs time since the confirmation */
  settled(model: string, ending: string, sinceMs: number): void
  /** @param sinceMs time since the generation was settled */
  delivered(outcome: Delivered, sinceMs: number): void
  /** @param status the task status that the gateway reported, or `unread` */
  looked(status: string): void
  calledBack(isKnown: boolean): void
  /** A result came after its order was refunded, and is delivered free. */
  arrivedLate(model: string): void
  /** Results could not be downloaded, and are given up. */
  lost(model: string, results: number): void
}

const settleBuckets = [2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800]
export const deliverBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 1800]

export function createOrderMetrics(registry: Registry, { models, endings }: LabelValues): OrderMetrics {
  const registers = [registry]
  const confirmed = new Counter({
    name: 'bot_orders_confirmed_total',
    help: 'Orders whose price was held',
    labelNames: ['model'],
    registers,
  })
  const settled = new Counter({
    name: 'bot_generations_settled_total',
    help: 'Settled generations, by ending',
    labelNames: ['model', 'ending'],
    registers,
  })
  const settleSeconds = new Histogram({
    name: 'bot_settle_seconds',
    help: 'From the confirmation to the capture or release',
    labelNames: ['model'],
    buckets: settleBuckets,
    registers,
  })
  const lateResults = new Counter({
    name: 'bot_late_results_total',
    help: 'Results that came after the refund and were delivered free',
    labelNames: ['model'],
    registers,
  })
  const lostResults = new Counter({
    name: 'bot_lost_results_total',
    help: 'Results that could not be downloaded',
    labelNames: ['model'],
    registers,
  })
  startAtZero(confirmed, { model: models })
  startAtZero(settled, { model: models, ending: endings })
  startAtZero(lateResults, { model: models })
  startAtZero(lostResults, { model: models })
  return {
    ...createTail(registers),
    arrivedLate: (model) => lateResults.inc({ model }),
    lost: (model, results) => lostResults.inc({ model }, results),
    confirmed: (model) => confirmed.inc({ model }),
    settled(model, ending, sinceMs) {
      settled.inc({ model, ending })
      settleSeconds.observe({ model }, sinceMs / 1000)
    },
  }
}

function createTail(registers: Registry[]): Pick<OrderMetrics, 'delivered' | 'looked' | 'calledBack'> {
  const deliveries = new Counter({
    name: 'bot_deliveries_total',
    help: 'Attempts to deliver a result or a failure message',
    labelNames: ['outcome'],
    registers,
  })
  const deliverSeconds = new Histogram({
    name: 'bot_deliver_seconds',
    help: 'From the settlement to the delivery',
    buckets: deliverBuckets,
    registers,
  })
  const looks = new Counter({
    name: 'bot_looks_total',
    help: 'Polls of gateway tasks, by reported status',
    labelNames: ['status'],
    registers,
  })
  const callbacks = new Counter({
    name: 'bot_callbacks_total',
    help: 'Callbacks of the gateway, by whether the address was known',
    labelNames: ['known'],
    registers,
  })
  startAtZero(deliveries, { outcome: deliveryOutcomes })
  startAtZero(looks, { status: lookStatuses })
  startAtZero(callbacks, { known: ['yes', 'no'] })
  return {
    delivered(outcome, sinceMs) {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliverSeconds.observe(sinceMs / 1000)
    },
    looked: (status) => looks.inc({ status }),
    calledBack: (isKnown) => callbacks.inc({ known: isKnown ? 'yes' : 'no' }),
  }
}
