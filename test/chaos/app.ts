// One process of the app, as `src/main.ts` starts it, but for its clock: that follows the harness, which tells its pace at the
// start and every leap by a message.

import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { secretsOf } from '../../src/config/secrets.ts'
import { parseConfig } from '../../src/config.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createFastClock } from './clock.ts'

const paceShape = z.object({ since: z.number(), times: z.number(), leaptMs: z.number() })

const parsed = parseConfig(process.env)
if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
const { config } = parsed

const log = createLog(config.logLevel, secretsOf(config))
const clock = createFastClock(paceShape.parse(JSON.parse(process.env.CHAOS_PACE ?? '')))
// Whose harness is gone has no business here.
process.on('disconnect', () => process.exit(1))
process.on('message', (message) => clock.follow(paceShape.parse(message)))

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
