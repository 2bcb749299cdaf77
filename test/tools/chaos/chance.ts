// Seeded random choices: the same seed gives the same choices. Each part of a run has its own stream, so that extra draws in one part
// do not change the others.

import assert from 'node:assert/strict'
import { seededRandom } from '../../../src/sandbox/random.ts'

export interface Chance {
  /** 0 ≤ x < 1 */
  next(): number
  /** An integer; both ends are included. */
  between(from: number, to: number): number
  /** True with this probability. */
  happens(share: number): boolean
  /** @throws if the list is empty */
  pick<T>(of: readonly T[]): T
  /** Chosen with a probability proportional to the weight. */
  weighed<T extends { readonly weight: number }>(of: readonly T[]): T
  stream(name: string): Chance
}

export function createChance(seed: number, name = ''): Chance {
  const next = seededRandom(hash(`${seed} ${name}`))
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    happens: (share) => next() < share,
    pick: (of) => defined(of[Math.floor(next() * of.length)]),
    weighed(of) {
      let left = next() * of.reduce((sum, { weight }) => sum + weight, 0)
      const chosen = of.find(({ weight }) => {
        left -= weight
        return left < 0
      })
      return defined(chosen ?? of[0])
    },
    stream: (inner) => createChance(seed, `${name}/${inner}`),
  }
}

function defined<T>(one: T | undefined): T {
  assert(one !== undefined, 'a choice needs at least one option')
  return one
}

/** The FNV-1a hash of a text. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0
}
