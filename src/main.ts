// Reads the environment, starts the app, stops it on signals.

import { createApp } from './app.ts'
import { secretsOf } from './config/secrets.ts'
import { parseConfig } from './config.ts'
import { createSteadyClock } from './runtime/clock.ts'
import { randomIds } from './runtime/ids.ts'
import { causesOf, createLog } from './runtime/log.ts'
import { releaseStartMemory } from './runtime/memory.ts'

const parsed = parseConfig(process.env)
if (!parsed.ok) {
  process.stderr.write(`These settings are missing or wrong:\n  ${parsed.problems.join('\n  ')}\n`)
  process.exit(1)
}

const { config } = parsed
const log = createLog(config.logLevel, secretsOf(config))

/** A supervisor restarts the process; the work in progress is stored in the database. */
function die(error: unknown): never {
  log.error({ error }, 'fatal')
  process.exit(1)
}

process.on('uncaughtException', die)

const runtime = { clock: createSteadyClock(), ids: randomIds, random: Math.random, log }
const app = await createApp(config, runtime).catch((error: unknown) => {
  // During the start an operator may be watching the terminal, where the log is hard to read.
  process.stderr.write(`The app cannot start: ${causesOf(error).join(': ')}\n`)
  return die(error)
})

// Ctrl-C is delivered twice, by the terminal and by npm or launch.js: the second signal must not interrupt an orderly stop.
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

// After the first answers to updates that were waiting.
await runtime.clock.wait(2000)
releaseStartMemory()
