// The app in one process, started like src/main.ts except for its clock, which runs FAST_TIMES times faster than real time, so that the
// idle loops of minutes run within seconds.

import { createApp } from '../../../../src/app.ts'
import { parseConfig } from '../../../../src/config.ts'
import { randomIds } from '../../../../src/runtime/ids.ts'
import { createLog } from '../../../../src/runtime/log.ts'
import { createPacedClock } from '../../chaos/time/clock.ts'

const parsed = parseConfig(process.env)
if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
const { config } = parsed

const since = Date.now()
const pace = { since, at: since, times: Number(process.env.FAST_TIMES) }
// The clock asks for the database's time as in production, but is not adjusted to it.
const clock = { ...createPacedClock(() => pace), adjust: () => undefined }
const log = createLog(config.logLevel)
const app = await createApp(config, { clock, ids: randomIds, random: Math.random, log })

process.once('SIGTERM', async () => {
  await app.stop()
  process.exit(0)
})

await app.start((error: unknown) => {
  throw error
})
