// The mutants of the fault harness apply to the source. `npm run chaos -- --mutants` checks that runs detect them.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemsOf } from './mutants/copy.ts'
import { mutants } from './mutants/index.ts'

const root = join(import.meta.dirname, '../../..')

describe('the mutants of the fault harness', () => {
  it('are at least a dozen, each with its own name', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(12)
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it('apply to the source: each replaced text occurs exactly once', async () => {
    expect(await problemsOf(root, mutants)).toEqual([])
  })

  it('are reported by name if the replaced text no longer occurs', async () => {
    const change = { file: 'src/money.ts', find: 'no such text', put: '' }
    expect(await problemsOf(root, [{ name: 'stale', mistake: 'none', changes: [change] }])).toEqual([
      'mutant stale no longer applies: src/money.ts: this text occurs 0 times instead of once:\nno such text',
    ])
  })

  it('each change the source', () => {
    const changes = mutants.flatMap((mutant) => mutant.changes)
    expect(mutants.filter((mutant) => mutant.changes.length === 0)).toEqual([])
    expect(changes.filter(({ find, put }) => put === find)).toEqual([])
  })
})
