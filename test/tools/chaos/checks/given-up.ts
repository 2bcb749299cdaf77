// Checks how long the app waited for the gateway before it refunded an order, by the app's clock.

import type { Check } from './check.ts'
import type { Ordered } from './ordered.ts'

const minute = 60_000
/** The largest difference between the clocks of two processes. */
const skewMs = 5000

/** The least wait before the refund, from the submit, or from the order itself if it was never submitted. */
function patienceMs({ reason, taskId }: Ordered): number {
  if (reason === 'late') return 30 * minute
  if (reason === 'unavailable') return 10 * minute
  if (reason !== 'lost') return 0
  // Without a task id the order waits for a callback that names its task. A task that the gateway does not know is polled five times.
  return taskId === null ? 10 * minute : 2 * minute
}

export const nothingIsGivenUpEarly: Check = {
  name: 'no order is given up before its time',
  find: ({ ordered }) =>
    ordered.flatMap((one) => {
      const { id, mark, reason, createdAt, submittedAt, settledAt } = one
      const waitedMs = (settledAt ?? createdAt).getTime() - (submittedAt ?? createdAt).getTime()
      if (waitedMs + skewMs >= patienceMs(one)) return []
      return [{ about: mark, fact: `generation ${id} was ${reason} after ${Math.round(waitedMs / 1000)} s` }]
    }),
}
