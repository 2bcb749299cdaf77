// `npm run bench`: how fast the app is, and a bare bot beside it, in the same run. `--quick` only checks that it works.
// `--cluster` names a maintenance database to use instead of a cluster of its own.

import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { makeBundle } from '../../support/project/bundle.ts'
import { tableOf } from './figure.ts'
import { allFigures } from './figures.ts'
import { createLauncher, openDatabases } from './machine.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, cluster: { type: 'string' } },
})
const loadNow = () => (loadavg()[0] ?? 0).toFixed(2)

const databases = await openDatabases(values.cluster)
const bundle = await makeBundle()
const launcher = createLauncher({ isPinned: !values.quick, bundle: bundle.folder })
const before = loadNow()
try {
  const measuring = allFigures({ isQuick: values.quick, databases, launcher })
  const figures = await Promise.race([measuring, launcher.failed])
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${before} to ${loadNow()}`
  const versions = `Node ${process.versions.node}, PostgreSQL ${databases.version}`
  process.stdout.write(`${tableOf(figures)}\n\n${machine}; ${versions}\n`)
} finally {
  await launcher.stopAll()
  await databases.close()
  await bundle.remove()
}
