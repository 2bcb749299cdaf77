// Two installations that use one bot token each get half of the updates. Nobody sees the other one, only conflicts at Telegram;
// when these do not end, the younger installation does.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { leaderLeases, users } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

/** The token is used by another installation, and this one has to end. */
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
  /** 0 ≤ x < 1: of two that began at the same time one ends first. */
  readonly random: () => number
  readonly log: Log
  readonly onFatal: (error: unknown) => void
}

export interface Rivals {
  /** Telegram has just shown that somebody else uses the token. */
  conflict(): Promise<void>
}

interface Episode {
  readonly since: number
  readonly patienceMs: number
  lastAt: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Conflicts that are further apart have different causes: a process that ended leaves its question open for a while. */
const quietMs = 3 * minute

/** @param duty its row in `leaderLeases` remembers the last conflict, for the alarm */
export function createRivals(deps: RivalDeps, duty: string): Rivals {
  const { clock, log } = deps
  let calmSince = clock.now().getTime()
  let episode: Episode | undefined

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
      await remember(deps, duty)
      if (now - current.since > current.patienceMs) deps.onFatal(new TokenShared())
    },
  }
}

async function remember({ db, clock }: RivalDeps, name: string): Promise<void> {
  const now = clock.now()
  await db
    .insert(leaderLeases)
    .values({ name, holder: '', until: now, contestedAt: now })
    .onConflictDoUpdate({ target: leaderLeases.name, set: { contestedAt: now } })
}

/**
 * A minute; a minute more for every day since the installation's first user, and for every minute without a conflict, up to an
 * hour each.
 */
async function patience({ db, clock, random }: RivalDeps, calmMs: number): Promise<number> {
  const first = z.object({ at: z.coerce.date().nullable() })
  const [found] = await rows(db, sql`select min(created_at) as at from ${users}`, first)
  const ageMs = found?.at ? clock.now().getTime() - found.at.getTime() : 0
  const byAge = Math.min((ageMs / day) * minute, hour)
  return (minute + byAge + Math.min(calmMs, hour)) * (1 + 0.2 * random())
}
