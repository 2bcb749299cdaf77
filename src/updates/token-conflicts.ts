// Detects other installations with the same bot token: each of them receives only a part of the updates. They are visible only as conflicts
// at Telegram. When the conflicts do not end, the younger installation shuts down. So does every process when the token is withdrawn.

import { sql } from 'drizzle-orm'
import { GrammyError } from 'grammy'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { leaderLeases, users } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs, hourMs, minuteMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

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

interface TokenConflicts {
  /** Another installation has just used the token. */
  report(): Promise<void>
}

/** Conflicts in close succession. */
interface Conflicts {
  readonly since: number
  readonly toleratedMs: number
  lastAt: number
}

/** Conflicts further apart count separately. The open request of a process that has ended also causes conflicts for a while. */
const quietMs = 3 * minuteMs

/** @param name the leader lease whose row records the last conflict, for the alarm */
export function createTokenConflicts(deps: TokenConflictDeps, name: string): TokenConflicts {
  const { clock, log } = deps
  let withoutConflictSince = clock.now().getTime()
  let conflicts: Conflicts | undefined
  let hasGivenUp = false

  const begin = async (now: number): Promise<Conflicts> => {
    const toleratedMs = await toleranceMs(deps, now - withoutConflictSince)
    log.warn({ toleratedMs }, 'another installation uses the same bot token')
    return { since: now, lastAt: now, toleratedMs }
  }

  return {
    async report() {
      const now = clock.now().getTime()
      const current = conflicts && now - conflicts.lastAt <= quietMs ? conflicts : await begin(now)
      conflicts = current
      current.lastAt = now
      withoutConflictSince = now
      await recordConflict(deps, name)
      // Several requests may end at once.
      if (hasGivenUp || now - current.since <= current.toleratedMs) return
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
