// `npm run chaos`: runs real processes on a real database, injects faults, and checks that nothing was lost.

import { join } from 'node:path'
import { hardFaults, noFaults, usualFaults } from './faults/profile.ts'
import { startCluster } from './machine/database.ts'
import { isAsExpected, runMutants } from './mutants/run.ts'
import { reportOf, verdictOf } from './report.ts'
import { run } from './run.ts'
import { type Flags, readFlags, type Settings, short, usual } from './settings.ts'

const profiles = { none: noFaults, usual: usualFaults, hard: hardFaults }

const flags = readFlags(process.argv.slice(2))
const cluster = flags.cluster ? { url: flags.cluster, stop: async () => undefined } : await startCluster()
/** The first Ctrl-C ends a run before its time, and the report is printed; the second one ends the program. */
const enough = new AbortController()
const end = async () => {
  await cluster.stop()
  process.exit(1)
}
process.once('SIGTERM', end)
process.once('SIGINT', () => {
  if (flags.mutants) void end()
  enough.abort()
  process.once('SIGINT', end)
})
try {
  const isRight = await (flags.mutants ? tryMutants() : runOnce())
  process.exitCode = isRight ? 0 : 1
} finally {
  await cluster.stop()
}

async function runOnce(): Promise<boolean> {
  const outcome = await run(settingsOf(flags), profiles[flags.faults], enough.signal)
  print(flags.json ? JSON.stringify(outcome) : reportOf(outcome))
  return outcome.violations.length === 0
}

function tryMutants(): Promise<boolean> {
  return runMutants(settingsOf(flags), flags.only, (trial) => {
    print(`${isAsExpected(trial) ? '✓' : '✗'} ${verdictOf(trial)}`)
    if (flags.keep) print(reportOf(trial.outcome))
  })
}

function settingsOf({ minutes, seed = Date.now() % 1_000_000, keep, mutants, ...flags }: Flags): Settings {
  const defaults = mutants ? short : usual
  const { processes = defaults.processes, updates = defaults.updates, people = defaults.people } = flags
  return {
    ...defaults,
    seconds: minutes === undefined ? defaults.seconds : minutes * 60,
    seed,
    processes,
    updates,
    people,
    times: flags.times ?? defaults.times,
    cluster: cluster.url,
    root: join(import.meta.dirname, '../../..'),
    keep,
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
