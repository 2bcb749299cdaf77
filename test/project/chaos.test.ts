// A short run of the fault harness, always by the same seed: real processes that are killed, paused and restarted, over a
// database and an outside that fail. `npm run chaos` makes long ones.

import { expect, inject, it } from 'vitest'
import { z } from 'zod'
import { start } from '../support/runtime/child.ts'

const outcome = z.object({
  violations: z.array(
    z.record(z.string(), z.string()).transform((violation) => Object.values(violation).join(': ')),
  ),
  histories: z.record(z.string(), z.array(z.string())),
  snapshots: z.number(),
  orders: z.record(z.string(), z.number()),
  counted: z.record(z.string(), z.number()),
})

it('nothing is lost and nothing happens twice, whatever goes wrong', { timeout: 600_000 }, async () => {
  const flags = { minutes: '0.15', seed: '4605', processes: '2', people: '16', updates: 'webhook' }
  const args = Object.entries({ ...flags, cluster: inject('postgresUrl') }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ])
  const harness = start('test/chaos/main.ts', { PATH: process.env.PATH ?? '' }, [...args, '--json'])
  await harness.ended
  expect(harness.output(), harness.complaints()).toContain('{')
  const { violations, histories, snapshots, orders, counted } = outcome.parse(JSON.parse(harness.output()))
  expect(violations, JSON.stringify(histories, null, 2)).toEqual([])
  // It was worth something.
  expect(snapshots).toBeGreaterThan(0)
  expect(orders.succeeded).toBeGreaterThan(5)
  expect(counted['process: killed']).toBeGreaterThan(0)
  expect(Object.keys(counted).filter((what) => what.startsWith('fault: ')).length).toBeGreaterThan(10)
})
