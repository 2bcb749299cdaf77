// Mistakes in saved settings.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const presetMutants: readonly Mutant[] = [
  {
    name: 'presets-of-others',
    mistake: 'anybody can use the settings that somebody else has saved',
    faults: { ...calm, outside: 0 },
    changes: [
      {
        file: 'src/orders/drafts.ts',
        find: `    .where(and(eq(presets.id, id), eq(presets.userId, userId)))
  return found`,
        put: `    .where(eq(presets.id, id))
  return found`,
      },
    ],
  },
]
