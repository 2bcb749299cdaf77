// Long polling. The next request confirms the previous updates to Telegram, so it is sent only after these are stored. Only one process
// polls at a time; another one takes over when that process dies.

import {
  createRunner,
  createSource,
  createUpdateFetcher,
  type RunnerHandle,
  type UpdateSink,
} from '@grammyjs/runner'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { leaseMs } from '../runtime/queue-worker.ts'
import { releaseLeaderLease, takeLeaderLease } from './leader.ts'
import { createTokenConflicts, isWithdrawn, TokenWithdrawn } from './token-conflicts.ts'

interface PollingDeps {
  readonly api: Api
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
  readonly types: readonly Exclude<keyof Update, 'update_id'>[]
  /** Resolves when the updates are stored. */
  readonly store: (updates: readonly Update[]) => Promise<void>
  /** Called with TokenWithdrawn or TokenShared when polling is impossible. */
  readonly onFatal: (error: unknown) => void
}

const lease = 'polling'
const storeRetryMs = 1000
/** Pause after a failed request. The runner's default doubles without limit. */
const requestRetryMs = 3000

export function createPolling(deps: PollingDeps): Loop {
  const { log, ids } = deps
  const holder = ids.secret()
  const stopping = new AbortController()
  const conflicts = createTokenConflicts(deps, lease)
  let runner: RunnerHandle | undefined

  const ended = async (error: unknown) => {
    runner = undefined
    if (stopping.signal.aborted) return
    const isConflict = error instanceof GrammyError && error.error_code === 409
    if (!isConflict) return deps.onFatal(isWithdrawn(error) ? new TokenWithdrawn({ cause: error }) : error)
    // Another installation may have set a webhook again after this one deleted it at its start.
    if (/webhook/i.test(error.description)) await deps.api.deleteWebhook()
    await conflicts.report()
  }

  const begin = () => {
    const asked = { fetch: { allowed_updates: [...deps.types] }, retryInterval: requestRetryMs, silent: true }
    const fetcher = createUpdateFetcher<Update, unknown>({ api: deps.api, ...unusedBot }, asked)
    const sink = sinkInto(deps, stopping.signal)
    const begun = createRunner(createSource({ supply: fetcher }), sink)
    begun.start()
    begun
      .task()
      ?.catch((error: unknown) =>
        ended(error).catch((failed: unknown) => log.error({ error: failed }, 'conflict not recorded')),
      )
    return begun
  }

  const pass = async () => {
    if (await takeLeaderLease(deps, lease, holder)) runner ??= begin()
    else await leave()
    return false
  }

  const leave = async () => {
    const left = runner
    runner = undefined
    if (left?.isRunning()) await left.stop()
  }

  const loop = createLoop(deps, {
    pass,
    idleMs: leaseMs / 6,
    limitMs: leaseMs,
    failed: 'the leader lease for polling cannot be taken',
  })
  return {
    ...loop,
    async stop() {
      stopping.abort()
      await loop.stop()
      await leave()
      await releaseLeaderLease(deps, lease, holder).catch((error: unknown) =>
        log.warn({ error }, 'leader lease not released'),
      )
    },
  }
}

/** The parts of a bot that the runner's fetcher requires but does not use. */
const unusedBot = { handleUpdate: async () => undefined, errorHandler: () => undefined }

/** Returns only after the updates are stored; the runner sends the next request after that. */
function sinkInto({ store, clock, log }: PollingDeps, stopping: AbortSignal): UpdateSink<Update> {
  return {
    async handle(updates) {
      while (!stopping.aborted) {
        try {
          await store(updates)
          return Number.POSITIVE_INFINITY
        } catch (error) {
          log.error({ error, updates: updates.length }, 'updates not stored')
          await clock.wait(storeRetryMs, stopping)
        }
      }
      // Telegram sends unconfirmed updates again.
      throw new Error('stopped before these updates were stored')
    },
    size: () => 0,
    snapshot: () => [],
  }
}
