// Mistakes in statements that claim or read several rows at once.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const togetherMutants: readonly Mutant[] = [
  {
    name: 'task-of-a-neighbour',
    mistake: 'of orders that are claimed together, each is asked about by the task of the first one',
    faults: calm,
    changes: [
      {
        file: 'src/orders/generation.ts',
        find: '  return rows.sort(',
        put: `  const first = rows[0]?.taskId
  const wrong = rows.map((one) => (one.state === 'running' && first ? { ...one, taskId: first } : one))
  return wrong.sort(`,
      },
    ],
  },
]
