// The mutants of the fault harness load, and a short run detects one of them. `npm run chaos -- --mutants`, which takes minutes, checks that
// all are detected.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { run } from '../../support/runtime/child.ts'
import { mutants } from './mutants/index.ts'
import { type Mutant, unchanged } from './mutants/mutant.ts'
import { tryOut } from './mutants/run.ts'
import { type Settings, short } from './settings.ts'

const root = join(import.meta.dirname, '../../..')

it('the mutants load without errors, so that a detected mutant is not merely a broken program', async () => {
  const { code, output, complaints } = await run('test/tools/chaos/mutants/load.ts')
  expect(`${output}${complaints}`).toMatch(/^loaded \d+ files\n$/)
  expect(code).toBe(0)
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
