// How long the gateway was waited for before an order was refunded, by the app's clock.

import type { Check } from './check.ts'
import type { Ordered } from './ordered.ts'

const minute = 60_000
/** Processes agree about the time to within this. */
const skewMs = 5000

/** The least time from the submit, or from the order itself if it was never submitted. */
function patienceMs({ reason, taskId }: Ordered): number {
  if (reason === 'late') return 30 * minute
  if (reason === 'unavailable') return 10 * minute
  if (reason !== 'lost') return 0
  // A callback may still name the task; a task that the gateway does not know is asked for five times.
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
