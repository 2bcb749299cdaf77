// One process of the app, started like `src/main.ts` except for its clock, whose pace the harness stores in a file.

import assert from 'node:assert/strict'
import { createApp } from '../../../src/app.ts'
import { parseConfig, secretsOf } from '../../../src/config.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { createPacedClock, readPace } from './clock.ts'

const parsed = parseConfig(process.env)
if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
const { config } = parsed

const log = createLog(config.logLevel, secretsOf(config))
assert(process.env.CHAOS_PACE, 'CHAOS_PACE is the path of the pace file')
const clock = createPacedClock(readPace(process.env.CHAOS_PACE))
// The IPC channel is disconnected when the harness ends.
process.on('disconnect', () => process.exit(1))
setInterval(() => clock.reset(), 100)

function die(error: unknown): never {
  log.error({ error }, 'fatal')
  process.exit(1)
}
process.on('uncaughtException', die)

const app = await createApp(config, { clock, ids: randomIds, random: Math.random, log }).catch(die)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.stop()
    process.exit(0)
  })
}

await app.start(die)
process.send?.('started')
