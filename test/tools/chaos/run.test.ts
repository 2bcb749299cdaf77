// A short run of the fault harness with a fixed seed: real processes that are killed, paused and restarted, with faults of the database and
// of the outside services. `npm run chaos` makes long runs.

import { expect, inject, it } from 'vitest'
import { z } from 'zod'
import { start } from '../../support/runtime/child.ts'

const outcome = z.object({
  violations: z.array(
    z.record(z.string(), z.string()).transform((violation) => Object.values(violation).join(': ')),
  ),
  histories: z.record(z.string(), z.array(z.string())),
  snapshots: z.number(),
  orders: z.record(z.string(), z.number()),
  counted: z.record(z.string(), z.number()),
})

it('a short run of the fault harness finds no violation', { timeout: 600_000 }, async () => {
  const flags = { minutes: '0.15', seed: '4605', processes: '2', people: '16', updates: 'webhook' }
  const args = Object.entries({ ...flags, cluster: inject('postgresUrl') }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ])
  const harness = start('test/tools/chaos/main.ts', { PATH: process.env.PATH ?? '' }, [...args, '--json'])
  await harness.ended
  expect(harness.output(), harness.complaints()).toContain('{')
  const { violations, histories, snapshots, orders, counted } = outcome.parse(JSON.parse(harness.output()))
  expect(violations, JSON.stringify(histories, null, 2)).toEqual([])
  // The run was meaningful: it had snapshots, orders, kills and other faults.
  expect(snapshots).toBeGreaterThan(0)
  expect(orders.succeeded).toBeGreaterThan(5)
  expect(counted['process: killed']).toBeGreaterThan(0)
  expect(Object.keys(counted).filter((what) => what.startsWith('fault: ')).length).toBeGreaterThan(10)
})
