// `npm run bench`: how fast the app is, and a bare bot beside it, in the same run. `--quick` only checks that it works.
// `--cluster` names a maintenance database to use instead of a cluster of its own.

import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBundle } from '../../support/project/bundle.ts'
import { startCluster } from '../chaos/machine/database.ts'
import { allFigures, type Figure } from './figures.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, cluster: { type: 'string' } },
})
const loadNow = () => (loadavg()[0] ?? 0).toFixed(2)

const cluster = values.cluster ? { url: values.cluster, stop: async () => {} } : await startCluster()
const bundle = await makeBundle()
const before = loadNow()
try {
  const programs = { app: join(bundle.folder, 'main.js'), echo: join(import.meta.dirname, 'echo.ts') }
  const figures = await allFigures({ isQuick: values.quick, cluster: cluster.url, programs })
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${before} to ${loadNow()}`
  process.stdout.write(`${tableOf(figures)}\n\n${machine}; Node ${process.versions.node}\n`)
} finally {
  await bundle.remove()
  await cluster.stop()
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, app, bare, goal }) => {
    const beside = bare ? [bare.value, bare.ratio].map(written) : ['-', '-']
    return [name, written(app), unit, ...beside, goal]
  })
  const all = [['', 'app', 'unit', 'bare bot', 'ratio', 'goal'], ...rows]
  return all
    .map((row) =>
      row
        .map((cell) => cell.padEnd(16))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

/** With three significant digits. */
function written(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toFixed(Math.min(digits, 4))
}
