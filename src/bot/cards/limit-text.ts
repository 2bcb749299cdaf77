// Says which limit of a user an order would exceed. The text is shown only to the user who taps.

import type { OverLimit } from '../../sales/limits.ts'
import type { Say } from '../../texts.ts'

export function limitText(say: Say, over: OverLimit): string {
  if (over.reason === 'too-many') return say.plain('order-too-many', { most: over.most })
  const { most, spent } = over
  const left = say.roubles(most > spent ? most - spent : 0n)
  return say.plain('order-daily-cap', { most: say.roubles(most), spent: say.roubles(spent), left })
}
