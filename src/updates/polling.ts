// Long polling. The next request confirms the previous updates to Telegram, so it is sent only after these are stored. Only one process
// polls at a time; another one takes over when that process dies. Other installations with the same token are detected by their conflicts.

import {
  createRunner,
  createSource,
  createUpdateFetcher,
  type RunnerHandle,
  type UpdateSink,
} from '@grammyjs/runner'
import { and, eq, lte, sql } from 'drizzle-orm'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { leaderLeases, users } from '../db/schema.ts'
import { type Clock, dayMs, hourMs, minuteMs } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { leaseMs } from '../runtime/queue-worker.ts'

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

// Leader leases, for work that only one process does at a time. When that process dies, another one takes over.

type LeaseDeps = Pick<PollingDeps, 'db' | 'clock'>

/** Takes or renews the lease. @returns false while another process holds it */
export async function takeLeaderLease(
  { db, clock }: LeaseDeps,
  name: string,
  holder: string,
  forMs = leaseMs,
): Promise<boolean> {
  const now = clock.now()
  const lease = { holder, until: new Date(now.getTime() + forMs) }
  const taken = await db
    .insert(leaderLeases)
    .values({ name, ...lease })
    .onConflictDoUpdate({
      target: leaderLeases.name,
      set: lease,
      setWhere: sql`${eq(leaderLeases.holder, holder)} or ${lte(leaderLeases.until, now)}`,
    })
    .returning({ name: leaderLeases.name })
  return taken.length > 0
}

export async function releaseLeaderLease(
  { db }: Pick<LeaseDeps, 'db'>,
  name: string,
  holder: string,
): Promise<void> {
  await db.delete(leaderLeases).where(and(eq(leaderLeases.name, name), eq(leaderLeases.holder, holder)))
}

// Other installations with the same bot token: each of them receives only a part of the updates. They are visible only as conflicts at
// Telegram. When the conflicts do not end, the younger installation shuts down. So does every process when the token is withdrawn.

/** Another installation uses the same token, and this one must shut down. */
export class TokenShared extends Error {
  override name = 'TokenShared'
  constructor() {
    super(
      'another installation uses the same BOT_TOKEN, and each gets only a part of the messages; stop one of them, or give it a bot of its own',
    )
  }
}

/**
 * Telegram no longer accepts the token: it was replaced at @BotFather, or the bot was deleted. Waiting does not help: the process must shut
 * down, and a new start says the same until the setting is corrected.
 */
export class TokenWithdrawn extends Error {
  override name = 'TokenWithdrawn'
  constructor(options: { readonly cause: unknown }) {
    super(
      'Telegram no longer accepts BOT_TOKEN: it was replaced at @BotFather, or the bot was deleted; write the present token and restart all processes',
      options,
    )
  }
}

export const isWithdrawn = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 401

export interface TokenConflictDeps {
  readonly db: Database
  readonly clock: Clock
  /** 0 ≤ x < 1; makes one of two installations that started together give up first. */
  readonly random: () => number
  readonly log: Log
  readonly onFatal: (error: unknown) => void
}

/** Conflicts further apart count separately. The open request of a process that has ended also causes conflicts for a while. */
const quietMs = 3 * minuteMs

/**
 * @param name the leader lease whose row records the last conflict, for the alarm
 * @returns the function to call when another installation has just used the token
 */
export function createTokenConflicts(deps: TokenConflictDeps, name: string) {
  const { clock, log } = deps
  let lastAt = clock.now().getTime()
  /** When the present conflicts have begun, in close succession, and how long they may last. */
  let present: { readonly since: number; readonly toleratedMs: number } | undefined
  let hasGivenUp = false
  return {
    async report(): Promise<void> {
      const now = clock.now().getTime()
      const withoutMs = now - lastAt
      lastAt = now
      if (!present || withoutMs > quietMs) {
        present = undefined
        present = { since: now, toleratedMs: await toleranceMs(deps, withoutMs) }
        log.warn(present, 'another installation uses the same bot token')
      }
      const { since, toleratedMs } = present
      await recordConflict(deps, name)
      // Several requests may end at once.
      if (hasGivenUp || now - since <= toleratedMs) return
      hasGivenUp = true
      deps.onFatal(new TokenShared())
    },
  }
}

async function recordConflict({ db, clock }: TokenConflictDeps, name: string): Promise<void> {
  const now = clock.now()
  await db
    .insert(leaderLeases)
    .values({ name, holder: '', until: now, contestedAt: now })
    .onConflictDoUpdate({ target: leaderLeases.name, set: { contestedAt: now } })
}

/**
 * How long conflicts may last: one minute, plus up to an hour for the age of the installation (a minute per day since its first user),
 * plus up to an hour for the time without conflicts.
 */
async function toleranceMs(
  { db, clock, random }: TokenConflictDeps,
  withoutConflictMs: number,
): Promise<number> {
  const first = z.object({ at: z.coerce.date().nullable() })
  const { at } = await oneRow(db, sql`select min(created_at) as at from ${users}`, first)
  const ageMs = at ? clock.now().getTime() - at.getTime() : 0
  const byAge = Math.min((ageMs / dayMs) * minuteMs, hourMs)
  return (minuteMs + byAge + Math.min(withoutConflictMs, hourMs)) * (1 + 0.2 * random())
}
