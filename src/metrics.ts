// Prometheus metrics of this process: one registry, with a narrow interface for each subject. Label values come from closed lists, the
// catalog and the code, never from users: no person, text, address or secret.

import { collectDefaultMetrics, Registry } from 'prom-client'
import { type AnswerMetrics, createAnswerMetrics } from './metrics/answers.ts'
import { createFigures, type ReadFigures } from './metrics/figures.ts'
import { createGatewayMetrics, type GatewayMetrics } from './metrics/gateway.ts'
import { createOrderMetrics, type OrderMetrics } from './metrics/orders.ts'
import { type LabelValues, noValues } from './metrics/start-at-zero.ts'
import { createTelegramMetrics, type TelegramMetrics } from './metrics/telegram.ts'
import { createUpdateMetrics, type UpdateMetrics } from './metrics/updates.ts'

export type { AnswerMetrics } from './metrics/answers.ts'
export type { Figures, ReadFigures } from './metrics/figures.ts'
export type { GatewayMetrics } from './metrics/gateway.ts'
export type { OrderMetrics } from './metrics/orders.ts'
export type { TelegramMetrics } from './metrics/telegram.ts'
export type { Handled, UpdateMetrics } from './metrics/updates.ts'

export interface Metrics {
  readonly orders: OrderMetrics
  readonly answers: AnswerMetrics
  readonly updates: UpdateMetrics
  readonly gateway: GatewayMetrics
  readonly telegram: TelegramMetrics
  readonly contentType: string
  /** All metrics in the text format. The figures are read from the database at this moment. */
  render(): Promise<string>
}

interface Options {
  /** Reads the gauges of the database at every scrape; without this function there are no such gauges. */
  readonly figures?: ReadFigures
  /** Adds the metrics of the process: event loop, memory, garbage collection. */
  readonly ofProcess?: boolean
  /** The label values for which counters begin with 0. */
  readonly values?: LabelValues
}

export function createMetrics({ figures, ofProcess = false, values = noValues }: Options = {}): Metrics {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const refresh = figures && createFigures(registry, figures)
  return {
    orders: createOrderMetrics(registry, values),
    answers: createAnswerMetrics(registry, values),
    updates: createUpdateMetrics(registry),
    gateway: createGatewayMetrics(registry, values),
    telegram: createTelegramMetrics(registry),
    contentType: registry.contentType,
    async render() {
      await refresh?.()
      return registry.metrics()
    },
  }
}
