// `npm run bench`: measures the app as ratios to minimal programs that do the same, in the same run. With `--count` it counts
// statements and requests instead.

import { makeBundle } from '../support/project/bundle.ts'
import type { Bench, BenchWorld, Figure } from './bench.ts'
import { benches } from './benches/index.ts'
import { totals } from './count/count.ts'
import { countAll } from './count/index.ts'
import { reportOf } from './count/report.ts'
import { type Found, readRatios, worseThan, writeRatios } from './frame/guard.ts'
import { describeMachine, machineLine } from './frame/machine.ts'
import { tableOf } from './frame/table.ts'
import { canPin, createLauncher } from './machine/launcher.ts'
import { startServer } from './machine/server.ts'
import { readFlags } from './settings.ts'

interface Outcome extends Pick<Bench, 'name' | 'title' | 'method'> {
  readonly figures: readonly Figure[]
}

const flags = readFlags(process.argv.slice(2))
const chosen = benches.filter(({ name }) => flags.only.length === 0 || flags.only.includes(name))
if (chosen.length === 0) throw new Error(`--only takes ${benches.map(({ name }) => name).join(', ')}`)

const server = await startServer(flags.cluster)
const machine = describeMachine(server.version)
const isPinned = !flags.quick && canPin
const bundle = await makeBundle()
const launcher = createLauncher({ ...flags, isPinned, bundle: bundle.folder })
const world: BenchWorld = { isQuick: flags.quick, server, launcher }
if (!flags.json) say(`${machineLine(machine)}${isPinned ? '; processes pinned to the last core' : ''}`)

const outcomes: Outcome[] = []
try {
  // Concurrent benchmarks distort each other's figures, which does not matter in a quick run.
  if (flags.count) await runCount()
  else if (flags.quick) outcomes.push(...(await Promise.all(chosen.map(runOne))))
  else for (const bench of chosen) outcomes.push(await runOne(bench))
} finally {
  await launcher.stopAll()
  await server.stop()
  await bundle.remove()
}
// Threads that the app's code started in this process would keep it running.
process.exit(conclude())

async function runCount(): Promise<void> {
  const counts = await Promise.race([countAll(world), launcher.failed])
  say(
    flags.json
      ? JSON.stringify(
          counts.map((one) => ({ ...one, ...totals(one) })),
          null,
          2,
        )
      : reportOf(counts),
  )
}

async function runOne(bench: Bench): Promise<Outcome> {
  const { name, title, method } = bench
  const figures = await Promise.race([bench.run(world), launcher.failed])
  if (!flags.json) say(`\n${name}: ${title}\n${method}\n${tableOf(figures)}`)
  return { name, title, method, figures }
}

/** @returns the exit code */
function conclude(): number {
  if (flags.count) return 0
  const found = outcomes.flatMap(({ name, figures }): Found[] =>
    figures.map((one) => ({ bench: name, ...one })),
  )
  const before = readRatios()
  // The figures of a quick run are not meaningful, so they are not compared.
  const worse = flags.quick ? [] : worseThan(before, found)
  if (flags.store) writeRatios(found, before)
  if (flags.json) say(JSON.stringify({ machine, isQuick: flags.quick, isPinned, outcomes, worse }, null, 2))
  else if (worse.length > 0) say(`\nWorse than it was:\n  ${worse.join('\n  ')}`)
  return worse.length > 0 && !flags.store ? 1 : 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
