// Hostile amounts as input of the functions that read them: typed by users, and by operators with a reason.

import { expect, it } from 'vitest'
import { readChange } from '../../src/bot/admin/operator.ts'
import { parseRoubles } from '../../src/money.ts'
import { amounts, corrections, noAmounts } from './tables/amounts.ts'

it('parseRoubles reads amounts, and nothing else', () => {
  expect(amounts.filter(([text, kopecks]) => parseRoubles(text) !== kopecks)).toEqual([])
  expect(noAmounts.filter((text) => parseRoubles(text) !== undefined)).toEqual([])
})

it('readChange reads an amount and a reason, and nothing unclear', () => {
  expect(corrections.map(([text]) => [text, readChange(text)])).toEqual(corrections)
})
