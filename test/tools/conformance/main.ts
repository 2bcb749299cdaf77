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
let count = 0
try {
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed += 1)
    count += await run(seed)
} finally {
  await cluster.stop()
}
// Threads and timers of the stopped apps may still be open.
process.exit(count === 0 ? 0 : 1)

/** Plays a seed in a world of its own. @returns the number of failures */
async function run(seed: number): Promise<number> {
  const database = `conformance_${seed}`
  const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`create database ${database} template ${templateName}`)
  const world = await openWorld(cluster.url.replace(/\/[^/]*$/, `/${database}`))
  const failures = await runRound(world, seed, values).finally(() => world.close())
  await sql.unsafe(`drop database ${database}`)
  await sql.end()
  for (const { what, reason, personality } of failures)
    say(`seed ${seed}: ${what}\n  ${reason.replaceAll('\n', '\n  ')}\n  personality: ${personality}`)
  say(`seed ${seed}: ${failures.length} failures`)
  return failures.length
}
