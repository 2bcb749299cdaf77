// Seeded chance: the same seed makes the same choices. Each part of a run draws from a stream of its own, so that one that
// draws more often does not change what the others do.

import assert from 'node:assert/strict'
import { seededRandom } from '../../src/sandbox/random.ts'

export interface Chance {
  /** 0 ≤ x < 1 */
  next(): number
  /** Whole, both ends included. */
  between(from: number, to: number): number
  /** True in this share of all cases. */
  happens(share: number): boolean
  /** @throws for nothing to choose from */
  pick<T>(of: readonly T[]): T
  /** The oftener the greater its weight. */
  weighed<T extends { readonly weight: number }>(of: readonly T[]): T
  stream(name: string): Chance
}

export function createChance(seed: number, name = ''): Chance {
  const next = seededRandom(hash(`${seed} ${name}`))
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    happens: (share) => next() < share,
    pick: (of) => there(of[Math.floor(next() * of.length)]),
    weighed(of) {
      let left = next() * of.reduce((sum, { weight }) => sum + weight, 0)
      const chosen = of.find(({ weight }) => {
        left -= weight
        return left < 0
      })
      return there(chosen ?? of[0])
    },
    stream: (inner) => createChance(seed, `${name}/${inner}`),
  }
}

function there<T>(one: T | undefined): T {
  assert(one !== undefined, 'there is something to choose from')
  return one
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0
}
