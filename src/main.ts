// Reads the environment, starts the app, stops it on signals.

import { createApp } from './app.ts'
import { secretsOf } from './config/secrets.ts'
import { parseConfig } from './config.ts'
import { createSteadyClock } from './runtime/clock.ts'
import { randomIds } from './runtime/ids.ts'
import { causesOf, createLog } from './runtime/log.ts'

const parsed = parseConfig(process.env)
if (!parsed.ok) {
  process.stderr.write(`These settings are missing or wrong:\n  ${parsed.problems.join('\n  ')}\n`)
  process.exit(1)
}

const { config } = parsed
const log = createLog(config.logLevel, secretsOf(config))

/** A supervisor starts us again; what was under way is in the database. */
function die(error: unknown): never {
  log.error({ error }, 'fatal')
  process.exit(1)
}

process.on('uncaughtException', die)

const surroundings = { clock: createSteadyClock(), ids: randomIds, random: Math.random, log }
const app = await createApp(config, surroundings).catch((error: unknown) => {
  // Before anything runs, the operator is looking at the terminal.
  process.stderr.write(`The app can not start: ${causesOf(error).join(': ')}\n`)
  return die(error)
})

// Ctrl-C arrives twice, from the terminal and from npm or launch.js: the second one must not end an orderly stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await app.stop()
    process.exit(0)
  })
}

await app.start((error: unknown) => {
  process.stderr.write(`The app ends: ${causesOf(error).join(': ')}\n`)
  die(error)
})
