// Long polling: Telegram is asked for more only after what it told is stored, since that question confirms it. Of several
// processes one asks; when it dies another does.

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
import { leaseMs } from '../runtime/leases.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { releaseLeaderLease, takeLeaderLease } from './leader.ts'
import { createRivals } from './rivals.ts'

export interface PollingDeps {
  readonly api: Api
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
  readonly types: readonly Exclude<keyof Update, 'update_id'>[]
  /** Done when they are safe. */
  readonly store: (updates: readonly Update[]) => Promise<void>
  /** Telegram no longer lets us poll: the token was withdrawn, or TokenShared. */
  readonly onFatal: (error: unknown) => void
}

const duty = 'polling'
const storeAgainMs = 1000
/** Between two questions that fail; left to itself the runner would double it without end. */
const askAgainMs = 3000

export function createPolling(deps: PollingDeps): Loop {
  const { log, ids } = deps
  const holder = ids.secret()
  const stopping = new AbortController()
  const rivals = createRivals(deps, duty)
  let runner: RunnerHandle | undefined

  const ended = async (error: unknown) => {
    runner = undefined
    if (stopping.signal.aborted) return
    const isConflict = error instanceof GrammyError && error.error_code === 409
    if (!isConflict) return deps.onFatal(error)
    // Its holder may have set it again after we deleted it at the start.
    if (/webhook/i.test(error.description)) await deps.api.deleteWebhook()
    await rivals.conflict()
  }

  const begin = () => {
    const asked = { fetch: { allowed_updates: [...deps.types] }, retryInterval: askAgainMs, silent: true }
    const fetcher = createUpdateFetcher<Update, unknown>({ api: deps.api, ...nothingElse }, asked)
    const sink = sinkInto(deps, stopping.signal)
    const begun = createRunner(createSource({ supply: fetcher }), sink)
    begun.start()
    begun
      .task()
      ?.catch((error: unknown) =>
        ended(error).catch((failed: unknown) => log.error({ error: failed }, 'conflict not noted')),
      )
    return begun
  }

  const pass = async () => {
    if (await takeLeaderLease(deps, duty, holder)) runner ??= begin()
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
    idleMs: leaseMs / 10,
    limitMs: leaseMs,
    failed: 'whose turn it is to poll is not known',
  })
  return {
    ...loop,
    async stop() {
      stopping.abort()
      await loop.stop()
      await leave()
      await releaseLeaderLease(deps, duty, holder).catch((error: unknown) =>
        log.warn({ error }, 'duty not left'),
      )
    },
  }
}

/** The rest of a bot, which is not needed for asking. */
const nothingElse = { handleUpdate: async () => undefined, errorHandler: () => undefined }

/** Hands back only what is stored: until then the next question is not asked. */
function sinkInto({ store, clock, log }: PollingDeps, stopping: AbortSignal): UpdateSink<Update> {
  return {
    async handle(updates) {
      while (!stopping.aborted) {
        try {
          await store(updates)
          return Number.POSITIVE_INFINITY
        } catch (error) {
          log.error({ error, updates: updates.length }, 'updates not stored')
          await clock.wait(storeAgainMs, stopping)
        }
      }
      // Not confirmed, so they will be told again.
      throw new Error('stopped before these updates were stored')
    },
    size: () => 0,
    snapshot: () => [],
  }
}
