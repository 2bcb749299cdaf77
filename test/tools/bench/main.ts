// `npm run bench`: how fast the app is, beside programs that do the same or less, in the same run. With `--count` it counts statements and
// requests instead. `--quick` only checks that it works. `--cluster` names a maintenance database to use instead of a cluster of its own.

import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { makeBundle } from '../../support/project/bundle.ts'
import { countAll, reportOf } from './count.ts'
import { tableOf } from './figure.ts'
import { allFigures } from './figures.ts'
import { createLauncher, openDatabases } from './machine.ts'
import type { BenchWorld } from './sides.ts'

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { count: flag, quick: flag, cluster: { type: 'string' } } })

const say = (text: string) => void process.stdout.write(`${text}\n`)
const loadNow = () => (loadavg()[0] ?? 0).toFixed(2)

async function measure(world: BenchWorld): Promise<void> {
  const before = loadNow()
  say(tableOf(await allFigures(world)))
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${before} to ${loadNow()}`
  say(`\n${machine}; Node ${process.versions.node}, PostgreSQL ${world.databases.version}`)
}

const databases = await openDatabases(values.cluster)
const bundle = await makeBundle()
const launcher = createLauncher({ isPinned: !values.quick, bundle: bundle.folder })
const world: BenchWorld = { isQuick: values.quick, databases, launcher }
try {
  const work = values.count ? countAll(world).then((counts) => say(reportOf(counts))) : measure(world)
  await Promise.race([work, launcher.failed])
} finally {
  await launcher.stopAll()
  await databases.close()
  await bundle.remove()
}
