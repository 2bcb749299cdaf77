// The audit, about once a second while faults are injected: it must be clean at every moment.

import { audit } from '../../../src/ledger/audit.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
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
}

const pauseMs = 1000

export function createSnapshots({ database: { db }, journal, clock }: Deps): Snapshots {
  const found = new Map<string, Violation>()
  const closing = new AbortController()
  const wrong = Promise.withResolvers<void>()
  let taken = 0

  const take = async () => {
    for (const { invariant, subject, fact } of await audit(db)) {
      const violation = { check: `audit: ${invariant}`, about: subject, fact }
      if (!found.has(invariant + subject)) journal.note(subject, `audit: ${invariant}: ${fact}`)
      found.set(invariant + subject, violation)
      wrong.resolve()
    }
    taken += 1
  }
  const goOn = async () => {
    while (!closing.signal.aborted) {
      await take()
      await clock.wait(pauseMs, closing.signal)
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
