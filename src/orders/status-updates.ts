// Updates of status messages, made beside the steps so that a slow Telegram delays no step. Each generation has at most one update under
// way; of the rows that come meanwhile, only the newest is shown.

import { throughOutages } from '../db/outage.ts'
import { doubledMs } from '../runtime/clock.ts'
import { within } from '../runtime/log.ts'
import type { Locale } from '../texts.ts'
import { type Generation, type GenerationDeps, readGeneration } from './generation.ts'

export interface StatusUpdates {
  /** Queues an update; dropped when too many are waiting, since the next look queues another. */
  queue(generation: Generation, news?: StatusNews): void
  /** Removes the generation's waiting update. @returns the end of the one under way */
  cancel(id: string): Promise<void> | undefined
  /** Resolves when no update is under way. */
  idle(): Promise<void>
}

/** Facts about an order that are not in its row. */
export interface StatusNews {
  /** The language of its user. */
  readonly locale?: Locale | undefined
  /** Since when the gateway has not accepted its request, or any request. */
  readonly outageSince?: Date | undefined
}

/** A row as it is to be shown. */
interface Shown {
  readonly row: Generation
  readonly news: StatusNews
}

/** Edits the status message of a generation. @returns false when another attempt may succeed */
export type UpdateStatus = (generation: Generation, news?: StatusNews) => Promise<boolean>

/**
 * How often a failed update of an ended generation is repeated. It matters because an outdated status may have replaced the explanation
 * of a failure, which no later step shows again.
 */
const maxRepeats = 4
const pauseAtEndMs = 1000
/** An edit that took longer may have come after one of another process, or of the delivery of the order. */
const slowMs = 500

const maxAtOnce = 8
const maxWaiting = 1000

export function createStatusUpdates(
  deps: Pick<GenerationDeps, 'db' | 'clock' | 'log'>,
  updateStatus: UpdateStatus,
): StatusUpdates {
  const { db, clock, log } = deps
  const waiting = new Map<string, Shown>()
  const running = new Map<string, Promise<void>>()

  const take = (id: string) => {
    const shown = waiting.get(id)
    waiting.delete(id)
    return shown
  }

  /** The row as it is stored; undefined if it looks the same, or a process is delivering it, which edits the status after that. */
  const changed = async ({ row, news: { locale } }: Shown): Promise<Shown | undefined> => {
    const found = await throughOutages(deps, () => readGeneration(db, row.id))
    const isSame = found?.state === row.state && found.delivery === row.delivery
    const isBeingDelivered = found?.delivery === 'pending' && found.lease !== null
    return found && !isSame && !isBeingDelivered ? { row: found, news: { locale } } : undefined
  }

  const show = async (first: Shown) => {
    let repeats = 0
    for (let next: Shown | undefined = first; next; ) {
      const { row, news }: Shown = next
      const startedAt = clock.now().getTime()
      const isDone = await updateStatus(row, news)
      const isSlow = clock.now().getTime() - startedAt > slowMs
      const isRepeated = !isDone && row.settledAt !== null && repeats < maxRepeats
      if (isRepeated) await clock.wait(doubledMs(pauseAtEndMs, repeats++))
      next = take(row.id) ?? (isRepeated ? next : isSlow ? await changed(next) : undefined)
    }
  }

  const startNext = () => {
    for (const [id, first] of waiting) {
      if (running.size >= maxAtOnce) return
      if (running.has(id)) continue
      waiting.delete(id)
      // An update that ends starts the next one, which belongs to another generation: the trace has to be set here.
      const updating = within({ generation: id }, () => show(first), { user: first.row.userId.toString() })
        .catch((error: unknown) => log.warn({ generation: id, error }, 'status message not shown'))
        .finally(() => {
          running.delete(id)
          startNext()
        })
      running.set(id, updating)
    }
  }

  return {
    queue(row, news = {}) {
      if (waiting.size >= maxWaiting && !waiting.has(row.id)) return
      waiting.set(row.id, { row, news })
      startNext()
    },
    cancel(id) {
      waiting.delete(id)
      return running.get(id)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}
