// `npm run sandbox`: the app with doubles of all outside services and a chat page, at one address.

import { z } from 'zod'
import { readArguments } from '../cli/terminal.ts'
import { FolderInUse } from '../db/folder-lock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import { createLog, type LogLevel } from '../runtime/log.ts'
import { SettingsWrong, startSandbox } from './sandbox.ts'

const settings = z.object({
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  SANDBOX_SPEED: z.coerce.number().positive().max(10_000).default(1),
  DATA_DIR: z.string().min(1).default('./data'),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('error' satisfies LogLevel),
})

/** Settings of the app that can be tried in the sandbox. */
const passed =
  `DATABASE_URL CATALOG_FILE TOPUP_MIN TOPUP_MAX TOPUP_ROUBLES_PER_STAR RECEIPT_VAT_CODE WELCOME_CREDIT
  ADMIN_IDS ADMIN_CHAT SUPPORT_IDS SUPPORT_REFUND_LIMIT SUPPORT_CONTACT TEXTS_DIR DAILY_SPEND_CAP CONCURRENT_GENERATIONS REFERRAL_BONUS CONSENT_VERSION
  REFERRAL_PERCENT REFERRAL_PAYMENTS INVITED_BONUS TOPUP_BONUS OPERATOR_TIME_ZONE SUMMARY_HOUR
  SELF_EMPLOYED_INN SELF_EMPLOYED_PASSWORD SELF_EMPLOYED_PROVIDERS`.split(/\s+/)
/** The first user of the page is the operator, so that the operator's commands can be tried too. */
const defaults = { ADMIN_IDS: '500000001', REFERRAL_BONUS: '50', SUPPORT_CONTACT: '@sandbox_support' }

function quit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

readArguments(
  'npm run sandbox: the bot with local doubles of all services and a chat page (docs/sandbox.md).',
)
// Empty variables count as absent.
const given: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
)
const parsed = settings.safeParse(given)
if (!parsed.success) quit(`These settings are wrong:\n${z.prettifyError(parsed.error)}`)
const { SANDBOX_PORT: port, SANDBOX_SPEED: speed, DATA_DIR: dataDir, LOG_LEVEL: level } = parsed.data

const chosen = Object.fromEntries(passed.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))
const env = { ...defaults, ...chosen }
const options = { port, speed, dataDir, log: createLog(level), env }

const sandbox = await startSandbox(options).catch((error: unknown) => {
  if (error instanceof SettingsWrong) quit(`These settings are wrong:\n  ${error.message}`)
  if (error instanceof CannotStart) {
    quit(error.cause instanceof FolderInUse ? `DATA_DIR: ${error.cause.message}` : error.message)
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const other = `set another one, for example SANDBOX_PORT=${port + 1}`
    quit(`SANDBOX_PORT: port ${port} is already in use; ${other}`)
  }
  throw error
})

// Ctrl-C arrives twice, from the terminal and from npm or launch.js: the second signal must not interrupt the shutdown.
let stopped: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    stopped ??= sandbox.stop()
    await stopped
    process.exit(0)
  })
}

// Printed last, because a reader of this line may stop the process at once.
process.stdout.write(`The sandbox is open at ${sandbox.url}\n`)
