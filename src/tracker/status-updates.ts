// Updates of status messages, made beside the steps so that a slow Telegram delays no step. Each generation has at most one
// update under way; of the rows that come meanwhile, only the newest is shown.

import { eq } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { within } from '../runtime/trace.ts'
import type { Locale } from '../texts.ts'

export interface StatusUpdates<Row extends Identified = Generation> {
  /** Queues an update; dropped when too many are waiting, since the next look queues another. */
  queue(row: Row, locale?: Locale): void
  /** Removes the generation's waiting update. @returns the end of the one under way */
  cancel(id: string): Promise<void> | undefined
  /** Resolves when no update is under way. */
  idle(): Promise<void>
}

interface Identified {
  readonly id: string
}

/** A row as it is to be shown, and the language of its user if it is known. */
interface Shown<Row> {
  readonly row: Row
  readonly locale: Locale | undefined
}

/** Edits the status message of a generation. @param locale the language of its user, if it is known */
export type UpdateStatus = (generation: Generation, locale?: Locale) => Promise<void>

const mostAtOnce = 8
const mostWaiting = 1000

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log'>

export function createStatusUpdates(deps: Deps, updateStatus: UpdateStatus): StatusUpdates {
  const update = (first: Shown<Generation>, turn: Turn<Generation>) =>
    updateUntilCurrent(deps, updateStatus, first, turn).catch((error: unknown) =>
      deps.log.warn({ generation: first.row.id, error }, 'status message not shown'),
    )
  // An update that ends starts the next one, which belongs to another generation: the trace has to be set here.
  return createUpdateQueue((first, turn) => within({ generation: first.row.id }, () => update(first, turn)))
}

interface Turn<Row> {
  /** Takes the newer row of the same generation that is waiting. */
  newer(): Row | undefined
  /** `cancel` was called during this update: the row has changed since. */
  isCancelled(): boolean
}

/** @param update must not reject */
export function createUpdateQueue<Row extends Identified>(
  update: (first: Shown<Row>, turn: Turn<Row>) => Promise<void>,
): StatusUpdates<Row> {
  const waiting = new Map<string, Shown<Row>>()
  const running = new Map<string, Promise<void>>()
  /** Those among the running ones. */
  const cancelled = new Set<string>()

  const take = (id: string) => {
    const shown = waiting.get(id)
    waiting.delete(id)
    return shown?.row
  }

  const startNext = () => {
    for (const [id, first] of waiting) {
      if (running.size >= mostAtOnce) return
      if (running.has(id)) continue
      waiting.delete(id)
      const turn = { newer: () => take(id), isCancelled: () => cancelled.has(id) }
      const updating = update(first, turn).finally(() => {
        running.delete(id)
        cancelled.delete(id)
        startNext()
      })
      running.set(id, updating)
    }
  }

  return {
    queue(row, locale) {
      const { id } = row
      if (waiting.size >= mostWaiting && !waiting.has(id)) return
      waiting.set(id, { row, locale: locale ?? waiting.get(id)?.locale })
      startNext()
    },
    cancel(id) {
      waiting.delete(id)
      const updating = running.get(id)
      if (updating) cancelled.add(id)
      return updating
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/**
 * Another process may have changed the row and shown it while this update was under way, so that the older update came last: the row
 * is read again, and the update repeated, until it is unchanged. While this process holds the lease, no other one can have changed it.
 * @param row its lease, if it has one, is held by this process
 */
async function updateUntilCurrent(
  { db, clock }: Deps,
  updateStatus: UpdateStatus,
  { row, locale }: Shown<Generation>,
  { newer, isCancelled }: Turn<Generation>,
): Promise<void> {
  const { id } = row
  const read = async () => (await db.select().from(generations).where(eq(generations.id, id)))[0]
  const isHeldHere = (one: Generation) =>
    one === row && !isCancelled() && row.leaseUntil !== null && clock.now() < row.leaseUntil
  let now: Generation | undefined = row
  for (let shown: Generation | undefined; now && !looksSame(now, shown); ) {
    await updateStatus(now, locale)
    shown = now
    now = newer() ?? (isHeldHere(now) ? undefined : await read())
  }
}

const looksSame = (one: Generation, other: Generation | undefined): boolean =>
  phaseOf(one) === (other && phaseOf(other)) && one.delivery === other?.delivery

/** A submit that has begun is shown like one that has not. */
const phaseOf = ({ state }: Generation) => (state === 'submitting' ? 'held' : state)
