// `npm run conformance -- --seeds 50`: plays more seeds than `npm test`, and prints each failure with its personality in words. `--from`
// begins with another seed; `--only` and `--model` choose by parts of names.

import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { templateName } from '../../support/database/postgres.setup.ts'
import { startCluster } from '../chaos/machine/database.ts'
import { runRound } from './rounds.ts'
import { openWorld } from './world.ts'

const text = (otherwise: string) => ({ type: 'string', default: otherwise }) as const
const { values } = parseArgs({
  options: { seeds: text('10'), from: text('1'), only: text(''), model: text('') },
})

const say = (line: string) => void process.stdout.write(`${line}\n`)

const cluster = await startCluster()
const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined })
await sql.unsafe(`create database conformance template ${templateName}`)
await sql.end()
const world = await openWorld(cluster.url.replace(/\/[^/]*$/, '/conformance'))
const from = Number(values.from)
let count = 0
try {
  for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
    const failures = await runRound(world, seed, values)
    for (const { what, reason, personality } of failures)
      say(`seed ${seed}: ${what}\n  ${reason.replaceAll('\n', '\n  ')}\n  personality: ${personality}`)
    say(`seed ${seed}: ${failures.length} failures`)
    count += failures.length
  }
} finally {
  await world.close()
  await cluster.stop()
}
// Threads and timers of the stopped app may still be open.
process.exit(count === 0 ? 0 : 1)
