// Reads the environment, starts the app, stops it on signals. Exit codes: 0 after a stop, 1 for wrong settings (nothing was started), 2
// when the start is impossible, 3 when the app ends by itself.

import { readArguments } from './cli/terminal.ts'
import { unknownVariables } from './config/unknown-variables.ts'
import { parseConfig, secretsOf } from './config.ts'
import { createSteadyClock } from './runtime/clock.ts'
import { CannotStart } from './runtime/env-values.ts'
import { randomIds } from './runtime/ids.ts'
import { causesOf, createLog } from './runtime/log.ts'

readArguments(
  'npm start: starts the bot with the settings of the environment and of .env (docs/configuration.md).',
)

// During the start an operator may be watching the terminal, where the log is hard to read.
const tell = (sentence: string) => void process.stderr.write(`${sentence}\n`)

const parsed = parseConfig(process.env)
const unknown = unknownVariables(process.env)
if (!parsed.ok) {
  tell(`These settings are missing or wrong:\n  ${[...parsed.problems, ...unknown].join('\n  ')}`)
  process.exit(1)
}

const { config } = parsed
// The app is loaded only now, since that takes most of the time of a start, and wrong settings are reported without it.
const { createApp } = await import('./app.ts')
const log = createLog(config.logLevel, secretsOf(config), {
  format: config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  timeZone: config.operator.timeZone,
})

for (const line of unknown) log.warn({}, line)

/** A supervisor restarts the process; the work in progress is stored in the database. */
function die(error: unknown): never {
  log.error({ error }, 'fatal')
  process.exit(3)
}

function cannotStart(error: unknown): never {
  if (error instanceof CannotStart) {
    log.error({ why: error.message }, 'the app cannot start')
    tell(`The app cannot start: ${error.message}`)
  } else {
    log.error({ error }, 'the app cannot start')
    tell(`The app cannot start: ${causesOf(error).join(': ')}`)
  }
  process.exit(2)
}

process.on('uncaughtException', die)

const runtime = { clock: createSteadyClock(), ids: randomIds, random: Math.random, log }
const app = await createApp(config, runtime).catch(cannotStart)

// Ctrl-C is delivered twice, by the terminal and by npm or launch.js: the second signal must not interrupt an orderly stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await app.stop()
    process.exit(0)
  })
}

const end = (error: unknown) => {
  tell(`The app ends: ${causesOf(error).join(': ')}`)
  die(error)
}
await app.start(end, tell).catch(cannotStart)
