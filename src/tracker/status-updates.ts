// Updates of status messages, made beside the steps so that a slow Telegram delays no step. Each generation has at most one
// update under way; however often it changes meanwhile, one more update follows.

import { eq } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { within } from '../runtime/trace.ts'

export interface StatusUpdates {
  /** Queues an update; dropped when too many are waiting, since the next look queues another. */
  queue(id: string): void
  /** Removes the generation's waiting update, and resolves when the one under way has ended. */
  cancel(id: string): Promise<void>
  /** Resolves when no update is under way. */
  idle(): Promise<void>
}

/** Edits the status message of a generation. */
export type UpdateStatus = (generation: Generation) => Promise<void>

const mostAtOnce = 8
const mostWaiting = 1000

type Deps = Pick<GenerationDeps, 'db' | 'log'>

export function createStatusUpdates(deps: Deps, updateStatus: UpdateStatus): StatusUpdates {
  const update = (id: string) =>
    updateUntilCurrent(deps, updateStatus, id).catch((error: unknown) =>
      deps.log.warn({ generation: id, error }, 'status message not shown'),
    )
  // An update that ends starts the next one, which belongs to another generation: the trace has to be set here.
  return createUpdateQueue((id) => within({ generation: id }, () => update(id)))
}

/** @param update must not reject */
export function createUpdateQueue(update: (id: string) => Promise<void>): StatusUpdates {
  const waiting = new Set<string>()
  const running = new Map<string, Promise<void>>()

  const startNext = () => {
    for (const id of waiting) {
      if (running.size >= mostAtOnce) return
      if (running.has(id)) continue
      waiting.delete(id)
      const updating = update(id).finally(() => {
        running.delete(id)
        startNext()
      })
      running.set(id, updating)
    }
  }

  return {
    queue(id) {
      if (waiting.size >= mostWaiting) return
      waiting.add(id)
      startNext()
    },
    async cancel(id) {
      waiting.delete(id)
      await running.get(id)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/**
 * Reads the row when its turn comes. Another process may have changed the row and shown it while this update was under way, so
 * that the older update came last: the update is repeated until the row is unchanged.
 */
async function updateUntilCurrent({ db }: Deps, updateStatus: UpdateStatus, id: string): Promise<void> {
  const read = async () => (await db.select().from(generations).where(eq(generations.id, id)))[0]
  let shown: Generation | undefined
  for (let now = await read(); now && !looksSame(now, shown); now = await read()) {
    await updateStatus(now)
    shown = now
  }
}

const looksSame = (one: Generation, other: Generation | undefined): boolean =>
  one.state === other?.state && one.delivery === other.delivery
