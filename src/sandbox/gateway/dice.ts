// Chance that falls the same way every time: what an artifact looks and sounds like depends on its spec alone.

/** The next number from 0 (inclusive) to 1 (exclusive). */
export type Dice = () => number

/** The generator known as mulberry32: small, and even enough for stars and syllables. */
export function diceOf(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
}

export const between = (dice: Dice, low: number, high: number): number => low + (high - low) * dice()
