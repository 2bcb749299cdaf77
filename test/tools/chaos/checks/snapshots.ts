// Checks two invariants about once a second while faults are injected: the audit is clean, and no person exceeds the limit of concurrent
// orders.

import { audit } from '../../../../src/ledger/audit.ts'
import type { ChaosWorld } from '../world.ts'
import type { Violation } from './evidence.ts'

export type Snapshots = ReturnType<typeof createSnapshots>

const pauseMs = 1000
/** The most of the time that is spent on audits, which take longer the more orders exist. */
const auditShare = 1 / 10

type Deps = Pick<ChaosWorld, 'database' | 'journal' | 'clock' | 'settings'>

export function createSnapshots({ database, journal, clock, settings }: Deps) {
  const found = new Map<string, Violation>()
  const closing = new AbortController()
  const wrong = Promise.withResolvers<void>()
  let taken = 0

  const take = async () => {
    const audited = (await audit(database.db)).map(({ invariant, subject, fact }) => ({
      check: `audit: ${invariant}`,
      about: subject,
      fact,
    }))
    for (const violation of [...audited, ...(await crowded(database, settings.concurrent))]) {
      const { check, about, fact } = violation
      if (!found.has(check + about)) journal.note(about, `${check}: ${fact}`)
      found.set(check + about, violation)
      wrong.resolve()
    }
    taken += 1
  }
  const goOn = async () => {
    while (!closing.signal.aborted) {
      const began = clock.now().getTime()
      await take()
      const tookMs = clock.now().getTime() - began
      await clock.wait(Math.max(pauseMs, tookMs / auditShare), closing.signal)
    }
    await take()
  }

  const going = goOn()
  return {
    /** Resolves at the first violation. */
    wrong: wrong.promise,
    taken: () => taken,
    violations: (): readonly Violation[] => [...found.values()],
    /** Takes a last snapshot. */
    async close() {
      closing.abort()
      await going
    },
  }
}

async function crowded({ sql }: Deps['database'], most: number): Promise<Violation[]> {
  const found = await sql`
    select u.telegram_id as person, count(*) as live
    from generations g join users u on u.id = g.user_id
    where g.settled_at is null group by 1 having count(*) > ${most}`
  return found.map(({ person, live }) => ({
    check: 'nobody has more orders at once than allowed',
    about: String(person),
    fact: `${live} instead of ${most}`,
  }))
}
