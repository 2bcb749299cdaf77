// `npm run chaos`: real processes, a real database, everything that can go wrong, and the proof that nothing was lost.

import { join } from 'node:path'
import { hardFaults, noFaults, usualFaults } from './faults/profile.ts'
import { startCluster } from './machine/cluster.ts'
import { isAsExpected, runMutants } from './mutants/run.ts'
import { reportOf, verdictOf } from './report.ts'
import { run } from './run.ts'
import { type Flags, readFlags, type Settings, usual } from './settings.ts'

const profiles = { none: noFaults, usual: usualFaults, hard: hardFaults }

const flags = readFlags(process.argv.slice(2))
const cluster = flags.cluster ? { url: flags.cluster, stop: async () => undefined } : await startCluster()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cluster.stop()
    process.exit(1)
  })
}
try {
  const isRight = await (flags.mutants ? tryMutants() : runOnce())
  process.exitCode = isRight ? 0 : 1
} finally {
  await cluster.stop()
}

async function runOnce(): Promise<boolean> {
  const outcome = await run(settingsOf(flags), profiles[flags.faults])
  say(flags.json ? JSON.stringify(outcome) : reportOf(outcome))
  return outcome.violations.length === 0
}

function tryMutants(): Promise<boolean> {
  return runMutants(settingsOf(flags), flags.only, (found) => {
    say(`${isAsExpected(found) ? '✓' : '✗'} ${verdictOf(found)}`)
    if (flags.keep) say(reportOf(found.outcome))
  })
}

function settingsOf({ minutes, seed = Date.now() % 1_000_000, keep, ...flags }: Flags): Settings {
  const { processes = usual.processes, updates = usual.updates, people = usual.people } = flags
  const { times = usual.times } = flags
  const seconds = minutes === undefined ? usual.seconds : minutes * 60
  const root = join(import.meta.dirname, '../..')
  return {
    ...usual,
    ...{ seconds, seed, keep, root, processes, updates, people, times },
    ...{ cluster: cluster.url, isHasty: false },
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
