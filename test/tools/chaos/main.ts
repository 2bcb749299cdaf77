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
const numbers = { minutes: text, seed: text, processes: text, people: text, times: text }
const { values } = parseArgs({
  options: { ...numbers, updates: text, only: text, mutants: flag, keep: flag },
})
const count = z.coerce.number().int()
const flags = z
  .object({
    minutes: z.coerce.number().positive().optional(),
    seed: count.nonnegative().default(Date.now() % 1_000_000),
    processes: count.min(1).max(16).optional(),
    updates: z.enum(['polling', 'webhook']).optional(),
    people: count.min(1).max(1000).optional(),
    times: z.coerce.number().min(1).max(1000).optional(),
  })
  .parse(values)

const cluster = await startCluster()
/** The first Ctrl-C ends a run before its time, and the report is printed; the second one ends the program. */
const enough = new AbortController()
const end = async () => {
  await cluster.stop()
  process.exit(1)
}
process.once('SIGTERM', end)
process.once('SIGINT', () => {
  if (values.mutants) void end()
  enough.abort()
  process.once('SIGINT', end)
})
const print = (line: string) => void process.stdout.write(`${line}\n`)

const { minutes, ...given } = flags
const defaults = values.mutants ? short : usual
const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
const settings: Settings = {
  ...defaults,
  ...Object.fromEntries(chosen),
  seed: flags.seed,
  seconds: minutes === undefined ? defaults.seconds : minutes * 60,
  cluster: cluster.url,
  root: join(import.meta.dirname, '../../..'),
  keep: values.keep,
}
try {
  const isRight = await (values.mutants ? tryMutants() : runOnce())
  process.exitCode = isRight ? 0 : 1
} finally {
  await cluster.stop()
}

async function runOnce(): Promise<boolean> {
  const outcome = await run(settings, usualFaults, enough.signal)
  print(reportOf(outcome))
  return outcome.violations.length === 0
}

function tryMutants(): Promise<boolean> {
  return runMutants(settings, values.only ?? '', (line, outcome) => {
    print(line)
    if (values.keep) print(reportOf(outcome))
  })
}
