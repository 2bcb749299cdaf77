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
        file: 'src/generations/repeated.ts',
        find: '(await db.$count(generations, isSame)) > 0',
        put: '(await db.$count(generations, isSame)) > 1',
      },
    ],
  },
  {
    name: 'again-shows-what-was-charged',
    mistake: 'below a part of what was ordered, Again shows the price of this part and orders all of it',
    faults: calm,
    changes: [
      {
        file: 'src/delivery/result-keyboard.ts',
        find: 'function againButton({ say, generation: { id: generationId }, price }: Ordered): InlineKeyboard {',
        put: `function againButton({ say, generation: { id: generationId, captured }, price: now }: Ordered): InlineKeyboard {
  const price = captured === null || captured === 0n ? now : captured`,
      },
      {
        file: 'src/bot/cards/order-at-once.ts',
        find: 'if (found?.quote.amount !== shown) return',
        put: 'if (!found) return',
      },
    ],
  },
]
