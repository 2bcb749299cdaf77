// `npm run conformance -- --seeds 50`: plays more seeds than `npm test`, and prints each failure with its personality in words. `--alone`
// tries each value of each switch alone; `--only`, `--model` and `--switch` choose by parts of names.

import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { templateName } from '../../support/database/postgres.setup.ts'
import { startCluster } from '../chaos/machine/database.ts'
import { notYet } from './gateway/personality.ts'
import type { Failure } from './media-orders.ts'
import { loneRounds, type Round, runRound, seedRound } from './rounds.ts'
import { openWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    model: { type: 'string', default: '' },
    switch: { type: 'string', default: '' },
    alone: { type: 'boolean', default: false },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)

const shown = (round: string, { what, personality, reason }: Failure) =>
  `${round}: ${what}\n  ${reason.replaceAll('\n', '\n  ')}\n  personality: ${personality}`

const rounds = values.alone
  ? loneRounds().filter(({ name }) => name.includes(values.switch))
  : Array.from({ length: Number(values.seeds) }, (_, index) => seedRound(Number(values.from) + index))

if (rounds.length === 0) {
  say(
    values.alone
      ? `no switch named ${values.switch}`
      : `--seeds ${values.seeds}: write a number of at least 1`,
  )
  process.exit(2)
}

const cluster = await startCluster()
let count = 0
try {
  for (const [value, reason] of Object.entries(notYet)) say(`not yet: ${value} (${reason})`)
  for (const [number, round] of rounds.entries()) count += await run(round, `conformance_${number}`)
} finally {
  await cluster.stop()
}
// Threads and timers of the stopped apps may still be open.
process.exit(count === 0 ? 0 : 1)

/** Plays one round in its own world. @returns the number of failures */
async function run(round: Round, database: string): Promise<number> {
  const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`create database ${database} template ${templateName}`)
  const world = await openWorld(cluster.url.replace(/\/[^/]*$/, `/${database}`))
  const failures = await runRound(world, round, values).finally(() => world.close())
  await sql.unsafe(`drop database ${database}`)
  await sql.end()
  for (const failure of failures) say(shown(round.name, failure))
  say(`${round.name}: ${failures.length} failures`)
  return failures.length
}
