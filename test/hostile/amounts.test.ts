// Hostile amounts as input of parseRoubles.

import { expect, it } from 'vitest'
import { parseRoubles } from '../../src/money.ts'
import { amounts, noAmounts } from './tables/amounts.ts'

it('parseRoubles reads amounts, and nothing else', () => {
  expect(amounts.filter(([text, kopecks]) => parseRoubles(text) !== kopecks)).toEqual([])
  expect(noAmounts.filter((text) => parseRoubles(text) !== undefined)).toEqual([])
})
