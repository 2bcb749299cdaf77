// The mutants of the fault harness: each applies to the source and loads, and a short run detects one of them. `npm run chaos --
// --mutants`, which takes minutes, checks that all are detected.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { run } from '../../support/runtime/child.ts'
import { problemsOf } from './mutants/copy.ts'
import { mutants } from './mutants/index.ts'
import { type Mutant, unchanged } from './mutants/mutant.ts'
import { tryOut } from './mutants/run.ts'
import { type Settings, short } from './settings.ts'

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

  it('load without errors, so that a detected mutant is not merely a broken program', async () => {
    const { code, output, complaints } = await run('test/tools/chaos/mutants/load.ts')
    expect(`${output}${complaints}`).toMatch(/^loaded \d+ files\n$/)
    expect(code).toBe(0)
  })
})

describe('a short run of the fault harness', () => {
  const settings: Settings = {
    ...short,
    processes: 1,
    people: 12,
    seed: 4605,
    cluster: inject('postgresUrl'),
    root,
    keep: false,
  }
  const charged = mutants.find(({ name }) => name === 'failure-is-captured')
  assert(charged, 'the mutant that charges failed generations')
  const checksFailing = async (mutant: Mutant, seconds: number) => {
    const { outcome } = await tryOut({ ...settings, seconds }, mutant)
    return [...new Set(outcome.violations.map(({ check }) => check))]
  }

  it('detects the mutant that charges a failed generation', async () => {
    // The run ends at the first violation; 12 seconds leave time for it on a busy machine.
    expect(await checksFailing(charged, 12)).toContain(
      'audit: the captured amount is the one of the generation, at most its hold, and only results are charged',
    )
  })

  it('finds no violation in the unchanged app', async () => {
    expect(await checksFailing(unchanged(charged), 3)).toEqual([])
  })
})
