// The state of an order as operators see it.

import { type Generation, unrefunded } from '../generations/generation.ts'

export function operatorStateOf(
  generation: Generation,
): Generation['state'] | 'free' | 'partly' | 'refunded' {
  if (generation.arrivedLateAt) return 'free'
  if (generation.refunded === null) return generation.state
  return unrefunded(generation) > 0n ? 'partly' : 'refunded'
}
