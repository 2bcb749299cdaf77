// A mutant: the app with one deliberate mistake, which a run must detect. It lists the changes of the source and the faults that make the
// mistake visible.

import type { FaultProfile } from '../faults/profile.ts'
import type { Settings } from '../settings.ts'

export interface Change {
  /** The path of the file, relative to the root. */
  readonly file: string
  /** The text to replace; it occurs exactly once in the file. */
  readonly find: string
  readonly put: string
}

export interface Mutant {
  /** A name like `submit-again`. */
  readonly name: string
  /** The wrong behaviour, as a statement. */
  readonly mistake: string
  readonly changes: readonly Change[]
  /** Faults for a mistake that the default faults of a short run rarely trigger. */
  readonly faults?: Partial<FaultProfile>
  readonly settings?: Partial<
    Pick<
      Settings,
      'seconds' | 'updates' | 'callbacks' | 'calledBack' | 'concurrent' | 'welcomeCredit' | 'capASecond'
    >
  >
}

/** The same run without the mistake. A check that fails in this run too proves nothing about the mutant. */
export const unchanged = (mutant: Mutant): Mutant => ({
  ...mutant,
  name: `unchanged for ${mutant.name}`,
  mistake: 'none',
  changes: [],
})
