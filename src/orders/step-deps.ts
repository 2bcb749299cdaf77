// The dependencies of a step of a generation: those of the whole process, the steps that other rooms provide, and the objects that all
// steps of one process share.

import { maySucceedLater } from '../db/outage.ts'
import { salesStops } from '../db/schema.ts'
import {
  GatewayError,
  GatewayMalformed,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../gateway/errors.ts'
import { backoffMs, createTurns } from '../runtime/clock.ts'
import { isUnreachable, pauseMs, stopSales } from '../sales/sales.ts'
import { createStatusUpdates, type StatusUpdates, type UpdateStatus } from './deliver/messages.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { createRunLimits, type RunLimits } from './times.ts'

/** The steps that take place in the chat. They are passed in, since the tracker does not know Telegram. */
export interface ChatSteps {
  /**
   * Sends the results or explains the failure, and writes the outcome under the lease of the row.
   * @returns the row if the delivery has ended and its status message is still to be updated
   */
  deliver(generation: Generation): Promise<Generation | undefined>
  readonly updateStatus: UpdateStatus
}

export interface StepDeps extends GenerationDeps, Pick<ChatSteps, 'deliver'> {
  /** Called when an order has ended, and its delivery is due. */
  readonly wakeDeliveries: () => void
  readonly circuit: Circuit
  /** In how many milliseconds a task may be asked about: 0 takes one of the polls of this second. */
  readonly pollWaitMs: () => number
  readonly runLimits: RunLimits
  readonly statusUpdates: StatusUpdates
  readonly unwrittenAnswers: UnwrittenAnswers
}

export function createStepDeps(
  deps: GenerationDeps,
  { deliver, updateStatus }: ChatSteps,
  wakeDeliveries: () => void = () => undefined,
): StepDeps {
  return {
    ...deps,
    deliver,
    wakeDeliveries,
    circuit: createCircuit(deps),
    pollWaitMs: createTurns(deps.clock, deps.pollsPerSecond),
    runLimits: createRunLimits(deps),
    statusUpdates: createStatusUpdates(deps, updateStatus),
    unwrittenAnswers: createUnwrittenAnswers(deps),
  }
}

// The circuit breaker of this process. After several failures in a row it opens: sales stop, for all processes, and this one sends the
// gateway nothing for a while. Then it is half open: one request, the probe, shows whether the gateway can be reached again. Orders that
// would ask the gateway meanwhile are put off; deliveries and deadlines go on.

interface Circuit {
  /** In how many milliseconds a request may be sent, as far as is known; 0 when one may be sent now. */
  waitMs(): number
  /** Since when the gateway cannot be reached; undefined while the circuit is closed. */
  openSince(): Date | undefined
  /**
   * Sends a request for a generation.
   * @throws GatewayUnavailable also when the circuit has opened: the request was not sent
   */
  ask<T>(id: string, call: () => Promise<T>): Promise<T>
}

const failuresInRow = 8
/** The pause of other requests while the probe is under way. */
const probeMs = 3000

export function createCircuit({ db, clock, log }: Pick<GenerationDeps, 'db' | 'clock' | 'log'>): Circuit {
  let failures = 0
  /** Errors for a single task are no outage: requests for at least two generations must have failed. */
  const failed = new Set<string>()
  let open: { readonly since: Date; readonly until: Date } | undefined
  let isProbing = false

  /** A failed write must not lose the gateway's answer. */
  const written = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.error({ error }, 'the stop of sales cannot be written'))

  const reached = async () => {
    const isInDoubt = failures > 0
    failures = 0
    failed.clear()
    open = undefined
    if (isInDoubt) await written(db.delete(salesStops).where(isUnreachable))
  }

  const unreached = async (id: string) => {
    failures += 1
    if (failed.size < 2) failed.add(id)
    if (failures < failuresInRow || failed.size < 2) return
    log.error({ failures }, 'the gateway cannot be reached: sales stopped')
    const now = clock.now()
    open = { since: open?.since ?? now, until: new Date(now.getTime() + pauseMs.unreachable) }
    await written(stopSales(db, 'unreachable', now))
  }

  const waitMs = () => {
    if (!open) return 0
    return isProbing ? probeMs : Math.max(0, open.until.getTime() - clock.now().getTime())
  }

  return {
    waitMs,
    openSince: () => open?.since,
    async ask(id, call) {
      const heldMs = waitMs()
      if (heldMs > 0) throw new GatewayUnavailable('request', 'the gateway cannot be reached', heldMs)
      const probes = open !== undefined
      if (probes) isProbing = true
      try {
        const answer = await call()
        await reached()
        return answer
      } catch (error) {
        if (isUnreached(error)) await unreached(id)
        else if (error instanceof GatewayError) await reached()
        throw error
      } finally {
        if (probes) isProbing = false
      }
    },
  }
}

/** JSON that cannot be understood concerns one model, or one operation: the gateway can be reached. */
function isUnreached(error: unknown): boolean {
  if (error instanceof GatewayMalformed) return !error.isJson
  return error instanceof GatewayUnavailable || error instanceof GatewayUnknownOutcome
}

// The gateway's answer to a submit is known to this process alone until it is written to the database. It is kept in memory and written
// again and again until the database accepts it, also after the step that submitted has exceeded its time limit.

export interface UnwrittenAnswers {
  /**
   * Runs `write` until it succeeds. `write` must be idempotent: an earlier run may have succeeded although it failed here.
   * @param facts what an operator needs to find the task if the process dies before the answer is written
   * @throws when the database refuses the answer permanently, or `stop` was called
   */
  write(facts: Facts, write: () => Promise<void>): Promise<void>
  /** Resolves when all answers are written. */
  idle(): Promise<void>
  /** Gives up the answers that are still unwritten, and logs them. */
  stop(): void
}

interface Facts {
  readonly generation: string
  readonly task?: string
}

/** Pauses of 0.5 s to 16 s, with jitter: many writers must not overload a database that has just come back. */
const pause = { shortestMs: 500, doublings: 5 }

export function createUnwrittenAnswers({
  clock,
  log,
  random,
}: Pick<GenerationDeps, 'clock' | 'log' | 'random'>): UnwrittenAnswers {
  const unwritten = new Set<Promise<void>>()
  const stopping = new AbortController()

  const writeUntilDone = async (facts: Facts, write: () => Promise<void>) => {
    for (let failures = 0; ; failures += 1) {
      const error = await failureOf(write)
      if (error === undefined) return
      if (!maySucceedLater(error)) {
        log.error({ ...facts, error }, 'an answer to a submit is refused by the database')
        throw error
      }
      if (failures === 0) log.error({ ...facts, error }, 'an answer to a submit cannot be written yet: kept')
      const waitMs = backoffMs(failures, pause.shortestMs, random(), 0, pause.doublings)
      await clock.wait(waitMs, stopping.signal)
      if (!stopping.signal.aborted) continue
      log.error(facts, 'an answer to a submit was not written before the stop')
      throw error
    }
  }

  return {
    async write(facts, write) {
      const writing = writeUntilDone(facts, write)
      unwritten.add(writing)
      await writing.finally(() => unwritten.delete(writing))
    },
    async idle() {
      while (unwritten.size > 0) await Promise.allSettled(unwritten)
    },
    stop: () => stopping.abort('stopped'),
  }
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new Error('failed without an error')
  }
}
