// The planted mutants of the fault harness apply to the source. `npm run chaos -- --mutants` checks that runs detect them.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mutants } from './mutants/index.ts'
import { problemsOf } from './mutants/mutant.ts'

it('the planted mutants have names of their own, and each replaced text occurs exactly once in the source', async () => {
  expect(mutants.length).toBeGreaterThan(10)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  const root = join(import.meta.dirname, '../../..')
  const stale = { name: 'stale', mistake: '', changes: [{ file: 'src/money.ts', find: 'no such', put: '' }] }
  expect(await problemsOf(root, [...mutants, stale])).toEqual([
    'mutant stale no longer applies: src/money.ts: this text occurs 0 times instead of once:\nno such',
  ])
})
