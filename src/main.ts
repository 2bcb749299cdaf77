// Reads the environment, starts the app, stops it on signals.

import { createApp } from './app.ts'
import { systemClock } from './clock.ts'
import { parseConfig } from './config.ts'
import { randomIds } from './ids.ts'
import { createLog } from './log.ts'

const parsed = parseConfig(process.env)
if (!parsed.ok) {
  process.stderr.write(`These settings are missing or wrong:\n  ${parsed.problems.join('\n  ')}\n`)
  process.exit(1)
}

const { config } = parsed
const secrets = [config.botToken, config.gatewayKey, config.topUp.rubProviderToken ?? ''].filter(Boolean)
const log = createLog(config.logLevel, secrets)

process.on('uncaughtException', (error) => {
  log.error({ error }, 'uncaught')
  process.exit(1)
})

const app = await createApp(config, { clock: systemClock, ids: randomIds, random: Math.random, log })

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.stop()
    process.exit(0)
  })
}

await app.start()
