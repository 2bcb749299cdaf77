// Updates of status messages, made beside the steps so that a slow Telegram delays no step. Each generation has at most one
// update under way; of the rows that come meanwhile, only the newest is shown.

import { throughOutages } from '../db/outage.ts'
import { type Generation, type GenerationDeps, readGeneration } from '../generations/generation.ts'
import { doubledMs } from '../runtime/back-off.ts'
import { within } from '../runtime/trace.ts'
import type { Locale } from '../texts.ts'

export interface StatusUpdates<Row extends Identified = Generation> {
  /** Queues an update; dropped when too many are waiting, since the next look queues another. */
  queue(row: Row, news?: StatusNews): void
  /** Removes the generation's waiting update. @returns the end of the one under way */
  cancel(id: string): Promise<void> | undefined
  /** Resolves when no update is under way. */
  idle(): Promise<void>
}

interface Identified {
  readonly id: string
}

/** Facts about an order that are not in its row. */
export interface StatusNews {
  /** The language of its user. */
  readonly locale?: Locale | undefined
  /** Since when the gateway has not accepted its request, or any request. */
  readonly outageSince?: Date | undefined
}

/** A row as it is to be shown. */
interface Shown<Row> {
  readonly row: Row
  readonly news: StatusNews
}

/** Edits the status message of a generation. @returns false when another attempt may succeed */
export type UpdateStatus = (generation: Generation, news?: StatusNews) => Promise<boolean>

/**
 * How often a failed update of an ended generation is repeated. It matters because an outdated status may have replaced the explanation
 * of a failure, which no later step shows again.
 */
const mostFailuresAtEnd = 4
const pauseAtEndMs = 1000

const mostAtOnce = 8
const mostWaiting = 1000

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log'>

export function createStatusUpdates(deps: Deps, updateStatus: UpdateStatus): StatusUpdates {
  const { db } = deps
  const stored = (id: string) => throughOutages(deps, () => readGeneration(db, id))
  const update = (first: Shown<Generation>, run: UpdateRun<Generation>) =>
    updateUntilCurrent({ ...deps, updateStatus, stored }, first, run).catch((error: unknown) =>
      deps.log.warn({ generation: first.row.id, error }, 'status message not shown'),
    )
  // An update that ends starts the next one, which belongs to another generation: the trace has to be set here.
  return createUpdateQueue((first, run) =>
    within({ generation: first.row.id }, () => update(first, run), { user: first.row.userId.toString() }),
  )
}

interface UpdateRun<Row> {
  /** Takes the newer row of the same generation that is waiting. */
  newer(): Shown<Row> | undefined
  /** `cancel` was called during this update: the row has changed since. */
  isCancelled(): boolean
}

/** @param update must not reject */
export function createUpdateQueue<Row extends Identified>(
  update: (first: Shown<Row>, run: UpdateRun<Row>) => Promise<void>,
): StatusUpdates<Row> {
  const waiting = new Map<string, Shown<Row>>()
  const running = new Map<string, Promise<void>>()
  /** The ids of running updates for which `cancel` was called. */
  const cancelled = new Set<string>()

  const take = (id: string) => {
    const shown = waiting.get(id)
    waiting.delete(id)
    return shown
  }

  const startNext = () => {
    for (const [id, first] of waiting) {
      if (running.size >= mostAtOnce) return
      if (running.has(id)) continue
      waiting.delete(id)
      const run = { newer: () => take(id), isCancelled: () => cancelled.has(id) }
      const updating = update(first, run).finally(() => {
        running.delete(id)
        cancelled.delete(id)
        startNext()
      })
      running.set(id, updating)
    }
  }

  return {
    queue(row, { locale, outageSince } = {}) {
      const { id } = row
      if (waiting.size >= mostWaiting && !waiting.has(id)) return
      waiting.set(id, { row, news: { locale: locale ?? waiting.get(id)?.news.locale, outageSince } })
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

/** The facts of a row on which its status message depends. */
type Phase = Pick<Generation, 'state' | 'delivery'>

interface Updating extends Deps {
  readonly updateStatus: UpdateStatus
  /** Reads the generation again from the database, since another process may have changed it. */
  readonly stored: (id: string) => Promise<Generation | undefined>
}

/**
 * Another process may have changed the row and shown it while this update was under way, so that the older update came last: the row
 * is read again, and the update repeated, until it is unchanged. While this process holds the lease, no other one can have changed it.
 * @param row its lease, if it has one, is held by this process
 */
async function updateUntilCurrent(
  { clock, updateStatus, stored }: Updating,
  first: Shown<Generation>,
  { newer, isCancelled }: UpdateRun<Generation>,
): Promise<void> {
  const { row, news } = first
  /** Reads the stored row; undefined when its status message would be the one that was shown, or is shown by its delivery. */
  const read = async (shown: Shown<Generation> | undefined): Promise<Shown<Generation> | undefined> => {
    const found = await stored(row.id)
    const isShown = found && shown && isSamePhase(found, shown.row)
    return found && !isShown && !isBeingDelivered(found)
      ? { row: found, news: { locale: news.locale } }
      : undefined
  }
  const isHeldHere = (one: Generation) =>
    one === row && !isCancelled() && row.leaseUntil !== null && clock.now() < row.leaseUntil
  let now: Shown<Generation> | undefined = first
  let failures = 0
  for (let shown: Shown<Generation> | undefined; now && !looksSame(now, shown); ) {
    const isDone = await updateStatus(now.row, now.news)
    const isRepeated: boolean = !isDone && now.row.settledAt !== null && failures < mostFailuresAtEnd
    if (isRepeated) await clock.wait(doubledMs(pauseAtEndMs, failures++))
    shown = isRepeated ? undefined : now
    now = newer() ?? (isHeldHere(now.row) ? undefined : await read(shown))
  }
}

/**
 * Whether a row looks like the one that was shown before. A row with news of an outage never does; the absence of news does not count,
 * since rows that are read again have none.
 */
const looksSame = ({ row, news }: Shown<Generation>, other: Shown<Generation> | undefined): boolean =>
  news.outageSince === undefined && other !== undefined && isSamePhase(row, other.row)

/**
 * Whether a process is delivering the order now. That process edits the status once more after it has written that the delivery ended,
 * hence after this read. An edit from here would be outdated by then, and might reach Telegram last.
 */
const isBeingDelivered = ({ delivery, lease }: Generation): boolean =>
  delivery === 'pending' && lease !== null

const isSamePhase = (one: Phase, other: Phase): boolean =>
  shownState(one) === shownState(other) && one.delivery === other.delivery

/** A submit that has begun is shown like one that has not. */
const shownState = ({ state }: Phase) => (state === 'submitting' ? 'held' : state)
