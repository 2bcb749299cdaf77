// What becomes of generations: ordered, looked at, called back, settled, delivered.

import { Counter, Histogram, type Registry } from 'prom-client'

export type Delivered = 'delivered' | 'undeliverable' | 'later'

export interface OrderMetrics {
  /** A tap on Generate became a hold. */
  confirmed(model: string): void
  /** @param ending `succeeded`, or the reason why not @param sinceMs since the confirmation */
  settled(model: string, ending: string, sinceMs: number): void
  /** @param sinceMs since it was settled */
  delivered(outcome: Delivered, sinceMs: number): void
  /** @param status what the gateway said of the task, or `unread` */
  looked(status: string): void
  calledBack(isKnown: boolean): void
}

const settleBuckets = [2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800]
export const deliverBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 1800]

export function createOrderMetrics(registry: Registry): OrderMetrics {
  const registers = [registry]
  const confirmed = new Counter({
    name: 'bot_orders_confirmed_total',
    help: 'Orders whose price was held',
    labelNames: ['model'],
    registers,
  })
  const settled = new Counter({
    name: 'bot_generations_settled_total',
    help: 'Generations that ended, by how',
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
  return {
    ...createTail(registers),
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
    help: 'Attempts to put a result or an explanation into a chat',
    labelNames: ['outcome'],
    registers,
  })
  const deliverSeconds = new Histogram({
    name: 'bot_deliver_seconds',
    help: 'From the settlement to the chat',
    buckets: deliverBuckets,
    registers,
  })
  const looks = new Counter({
    name: 'bot_looks_total',
    help: 'Looks at tasks of the gateway, by what it said',
    labelNames: ['status'],
    registers,
  })
  const callbacks = new Counter({
    name: 'bot_callbacks_total',
    help: 'Callbacks of the gateway, by whether the address was known',
    labelNames: ['known'],
    registers,
  })
  return {
    delivered(outcome, sinceMs) {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliverSeconds.observe(sinceMs / 1000)
    },
    looked: (status) => looks.inc({ status }),
    calledBack: (isKnown) => callbacks.inc({ known: isKnown ? 'yes' : 'no' }),
  }
}
