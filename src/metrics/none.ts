// Replaces the metrics in a process that does not show them: nothing is counted, and prom-client is not loaded.

import type { Metrics } from '../metrics.ts'

const ignore = () => undefined

export const noMetrics: Metrics = {
  orders: {
    confirmed: ignore,
    settled: ignore,
    delivered: ignore,
    looked: ignore,
    calledBack: ignore,
    arrivedLate: ignore,
    lost: ignore,
  },
  answers: { ended: ignore, delivered: ignore },
  updates: { received: ignore, handled: ignore, webhook: ignore },
  gateway: { asked: ignore },
  telegram: { called: ignore },
  contentType: 'text/plain',
  render: async () => '',
}
