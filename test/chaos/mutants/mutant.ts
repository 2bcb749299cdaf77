// A mutant: the app with one deliberate mistake, which a run must detect. It lists the changes of the source and the faults that
// make the mistake show.

import type { FaultProfile } from '../faults/profile.ts'
import type { Settings } from '../settings.ts'

export interface Change {
  /** Relative to the root. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly put: string
}

export interface Mutant {
  /** Like `submit-again`. */
  readonly name: string
  /** What it does wrong. */
  readonly mistake: string
  readonly changes: readonly Change[]
  /** Used where the default faults of a short run rarely trigger the mistake. */
  readonly faults?: Partial<FaultProfile>
  readonly settings?: Partial<
    Pick<
      Settings,
      'seconds' | 'updates' | 'callbacks' | 'calledBack' | 'concurrent' | 'welcomeCredit' | 'capASecond'
    >
  >
}

/** The same run without the mistake: a check that fails in it too proves nothing about the mutant. */
export const unchanged = (mutant: Mutant): Mutant => ({
  ...mutant,
  name: `unchanged for ${mutant.name}`,
  mistake: 'none',
  changes: [],
})
