// Random values from a source that is passed in, so that a run with the same seed produces the same values.

/** The next number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/** The generator mulberry32: the same seed gives the same numbers. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

export function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('')
}

/** Decimal digits; the first is not 0. */
export function randomDigits(random: Random, length: number): string {
  const rest = Array.from({ length: length - 1 }, () => Math.floor(random() * 10)).join('')
  return `${1 + Math.floor(random() * 9)}${rest}`
}
