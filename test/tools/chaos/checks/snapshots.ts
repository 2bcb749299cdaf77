// Checks two invariants about once a second while faults are injected: the audit is clean, and no person exceeds the limit of concurrent
// orders.

import { audit } from '../../../../src/ledger/audit.ts'
import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Settings } from '../settings.ts'
import type { Violation } from './check.ts'

export interface Snapshots {
  taken(): number
  violations(): readonly Violation[]
  /** Resolves at the first violation. */
  readonly wrong: Promise<void>
  /** Takes a last snapshot. */
  close(): Promise<void>
}

interface Deps {
  readonly database: RunDatabase
  readonly journal: Journal
  readonly clock: Clock
  readonly settings: Pick<Settings, 'concurrent'>
}

const pauseMs = 1000
/** The most of the time that is spent on audits, which take longer the more orders exist. */
const auditShare = 1 / 10

export function createSnapshots({ database, journal, clock, settings }: Deps): Snapshots {
  const found = new Map<string, Violation>()
  const closing = new AbortController()
  const wrong = Promise.withResolvers<void>()
  let taken = 0

  const take = async () => {
    for (const violation of [...(await audited(database)), ...(await crowded(database, settings))]) {
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
    wrong: wrong.promise,
    taken: () => taken,
    violations: () => [...found.values()],
    async close() {
      closing.abort()
      await going
    },
  }
}

async function audited({ db }: RunDatabase): Promise<Violation[]> {
  const findings = await audit(db)
  return findings.map(({ invariant, subject, fact }) => ({
    check: `audit: ${invariant}`,
    about: subject,
    fact,
  }))
}

async function crowded(
  { sql }: RunDatabase,
  { concurrent }: Pick<Settings, 'concurrent'>,
): Promise<Violation[]> {
  const found = await sql`
    select u.telegram_id as person, count(*) as live
    from generations g join users u on u.id = g.user_id
    where g.settled_at is null group by 1 having count(*) > ${concurrent}`
  return found.map(({ person, live }) => ({
    check: 'nobody has more orders at once than allowed',
    about: String(person),
    fact: `${live} instead of ${concurrent}`,
  }))
}
