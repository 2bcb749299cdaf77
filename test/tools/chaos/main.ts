// `npm run chaos`: runs real processes on a real database, injects faults, and checks that nothing was lost.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startCluster } from './machine/database.ts'
import { runMutants } from './mutants/run.ts'
import { reportOf, run } from './run.ts'
import { type Settings, short, usual, usualFaults } from './settings.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: {
    ...{ minutes: text, seed: text, processes: text, people: text, updates: text },
    ...{ only: text, mutants: flag, keep: flag },
  },
})
const defaults = values.mutants ? short : usual
const count = z.coerce.number().int().min(1)
const { minutes, ...chosen } = z
  .object({
    minutes: z.coerce
      .number()
      .positive()
      .default(defaults.seconds / 60),
    seed: count.default(Date.now() % 1_000_000),
    processes: count.max(16).default(defaults.processes),
    updates: z.enum(['polling', 'webhook']).default(defaults.updates),
    people: count.max(1000).default(defaults.people),
  })
  .parse(values)

const cluster = await startCluster()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await cluster.stop()
    process.exit(1)
  })
const print = (line: string) => void process.stdout.write(`${line}\n`)

const settings: Settings = {
  ...defaults,
  ...chosen,
  seconds: minutes * 60,
  cluster: cluster.url,
  root: join(import.meta.dirname, '../../..'),
  keep: values.keep,
}
try {
  const isRight = await (values.mutants ? runMutants(settings, values.only ?? '', print) : runOnce())
  process.exitCode = isRight ? 0 : 1
} finally {
  await cluster.stop()
}

async function runOnce(): Promise<boolean> {
  const outcome = await run(settings, usualFaults)
  print(reportOf(outcome))
  return outcome.violations.length === 0
}
