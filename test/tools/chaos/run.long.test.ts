// Short runs of the fault harness with fixed seeds: real processes that are killed, paused and restarted, with faults of the database and of
// the outside services. `npm run chaos` makes long runs.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { mutants } from './mutants/index.ts'
import { tryOut } from './mutants/run.ts'
import { run } from './run.ts'
import { type Settings, short, usual, usualFaults } from './settings.ts'

const common = { seed: 4605, cluster: inject('postgresUrl'), root: join(import.meta.dirname, '../../..') }

it('a short run of the fault harness finds no violation', { timeout: 600_000 }, async () => {
  const settings: Settings = {
    ...usual,
    ...common,
    seconds: 20,
    processes: 2,
    people: 16,
    updates: 'webhook',
  }
  const { violations, histories, orders, counted } = await run(settings, usualFaults)
  expect(violations, JSON.stringify(histories, null, 2)).toEqual([])
  // The run was meaningful: it had orders, kills and other faults.
  expect(orders.succeeded).toBeGreaterThan(2)
  expect(counted['process: killed']).toBeGreaterThan(0)
  expect(Object.keys(counted).filter((what) => what.startsWith('fault: ')).length).toBeGreaterThan(10)
})

it('a short run detects the mutant that charges a failed generation', { timeout: 600_000 }, async () => {
  const charged = mutants.find(({ name }) => name === 'failure-is-captured')
  assert(charged)
  const { violations } = await tryOut({ ...short, ...common, processes: 1, people: 12, seconds: 12 }, charged)
  expect(violations.map(({ check }) => check)).toContain(
    'audit: the captured amount is the one of the generation, at most its hold, and only results are charged',
  )
})
