// A mutant: the app with one mistake in it, which a run must find. It says where it differs, and what must go wrong for the
// mistake to show.

import type { FaultProfile } from '../faults/profile.ts'
import type { Settings } from '../settings.ts'

export interface Change {
  /** Below the root. */
  readonly file: string
  /** There exactly once. */
  readonly find: string
  readonly put: string
}

export interface Mutant {
  /** Like `submit-again`. */
  readonly name: string
  /** What it does wrong. */
  readonly mistake: string
  readonly changes: readonly Change[]
  /** Where the usual ones of a short run would seldom do. */
  readonly faults?: Partial<FaultProfile>
  readonly settings?: Partial<Pick<Settings, 'updates' | 'callbacks' | 'welcomeCredit'>>
}
