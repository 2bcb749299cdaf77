// A loop together with the watch that wakes it when a row of its queue is due, as in the app.

import type { Database } from '../../../src/db/client.ts'
import { createDueWatch, type QueueLoop } from '../../../src/db/due-watch.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Loop } from '../../../src/runtime/loop.ts'

export function watched(deps: { readonly db: Database; readonly clock: Clock }, loop: QueueLoop): Loop {
  const watch = createDueWatch({ ...deps, log: silentLog }, { loops: [loop], pollIntervalMs: 3000 })
  return {
    start() {
      loop.start()
      watch.start()
    },
    nudge: loop.nudge,
    async stop() {
      await watch.stop()
      await loop.stop()
    },
  }
}
