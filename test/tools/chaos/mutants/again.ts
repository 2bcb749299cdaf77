// Mistakes in orders that follow a result.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const againMutants: readonly Mutant[] = [
  {
    name: 'again-twice',
    mistake: 'a second tap on Again orders a second time',
    faults: calm,
    changes: [
      {
        file: 'src/orders/confirm.ts',
        find: '(await db.$count(accounts, isSame)) > 0',
        put: '(await db.$count(accounts, isSame)) > 1',
      },
      {
        file: 'src/orders/confirm.ts',
        find: 'and a.repeated_at > ',
        put: 'and false and a.repeated_at > ',
      },
    ],
  },
]
