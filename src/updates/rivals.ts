// Detects other installations with the same bot token: each of them receives only a part of the updates. They are visible only as
// conflicts at Telegram. When the conflicts do not end, the younger installation shuts down.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { leaderLeases, users } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs, hourMs, minuteMs } from '../runtime/durations.ts'
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

export interface RivalDeps {
  readonly db: Database
  readonly clock: Clock
  /** 0 ≤ x < 1; makes one of two installations that started together give up first. */
  readonly random: () => number
  readonly log: Log
  readonly onFatal: (error: unknown) => void
}

interface Rivals {
  /** Reports a conflict: another installation has just used the token. */
  conflict(): Promise<void>
}

interface Episode {
  readonly since: number
  readonly patienceMs: number
  lastAt: number
}

/** Conflicts further apart belong to different episodes. The open request of a process that has ended also causes conflicts for a while. */
const quietMs = 3 * minuteMs

/** @param name the leader lease whose row records the last conflict, for the alarm */
export function createRivals(deps: RivalDeps, name: string): Rivals {
  const { clock, log } = deps
  let calmSince = clock.now().getTime()
  let episode: Episode | undefined
  let hasGivenUp = false

  const begin = async (now: number): Promise<Episode> => {
    const patienceMs = await patience(deps, now - calmSince)
    log.warn({ patienceMs }, 'another installation uses the same bot token')
    return { since: now, lastAt: now, patienceMs }
  }

  return {
    async conflict() {
      const now = clock.now().getTime()
      const current = episode && now - episode.lastAt <= quietMs ? episode : await begin(now)
      episode = current
      current.lastAt = now
      calmSince = now
      await recordConflict(deps, name)
      // Several requests may end at once.
      if (hasGivenUp || now - current.since <= current.patienceMs) return
      hasGivenUp = true
      deps.onFatal(new TokenShared())
    },
  }
}

async function recordConflict({ db, clock }: RivalDeps, name: string): Promise<void> {
  const now = clock.now()
  await db
    .insert(leaderLeases)
    .values({ name, holder: '', until: now, contestedAt: now })
    .onConflictDoUpdate({ target: leaderLeases.name, set: { contestedAt: now } })
}

/**
 * How long an episode may last: one minute, plus up to an hour for the age of the installation (a minute per day since its first user),
 * plus up to an hour for the time without conflicts.
 */
async function patience({ db, clock, random }: RivalDeps, calmMs: number): Promise<number> {
  const first = z.object({ at: z.coerce.date().nullable() })
  const { at } = await oneRow(db, sql`select min(created_at) as at from ${users}`, first)
  const ageMs = at ? clock.now().getTime() - at.getTime() : 0
  const byAge = Math.min((ageMs / dayMs) * minuteMs, hourMs)
  return (minuteMs + byAge + Math.min(calmMs, hourMs)) * (1 + 0.2 * random())
}
