// `npm run doctor`: checks everything that the bot needs, and prints one line for each fact, with what to do. It changes nothing. Exit
// code 1 when something is wrong.

import { unknownVariables } from '../config/unknown-variables.ts'
import { parseConfig, secretsOf } from '../config.ts'
import { systemClock } from '../runtime/clock.ts'
import { databaseCheck } from './doctor/database.ts'
import { type Finding, findingsOf, neverStarted, note, wrong } from './doctor/finding.ts'
import { gatewayCheck } from './doctor/gateway.ts'
import { catalogCheck, paymentsCheck, receiptsCheck, textsCheck } from './doctor/shop.ts'
import { addressCheck, telegramCheck } from './doctor/telegram.ts'
import { readArguments } from './terminal.ts'

readArguments(
  'npm run doctor: checks everything that the bot needs, and changes nothing. 1: something is wrong.',
)
const clock = systemClock
const parsed = parseConfig(process.env)
const secrets = parsed.ok ? secretsOf(parsed.config) : []

function print(subject: string, { verdict, what }: Finding): void {
  if (verdict === 'wrong') process.exitCode = 1
  const line = secrets.reduce(
    (text, secret) => (secret.length < 6 ? text : text.replaceAll(secret, '***')),
    what,
  )
  process.stdout.write(`${verdict.padEnd(6)}${subject.padEnd(10)}${line}\n`)
}

// The reader of a pipe has closed it.
process.stdout.on('error', () => process.exit())
for (const line of unknownVariables(process.env)) print('settings', note(line))
if (parsed.ok) {
  const { config } = parsed
  const checks = [
    telegramCheck(config, clock),
    gatewayCheck(config),
    databaseCheck(config, clock),
    addressCheck(config),
    paymentsCheck(config),
    receiptsCheck(config, clock),
    textsCheck(config),
    catalogCheck(config),
  ]
  const all = checks.map(async (check) => ({
    subject: check.subject,
    findings: await findingsOf(check, clock),
  }))
  // The check of Telegram finds out whether the app was ever started, so its findings come before those that depend on it.
  let isFirstStart = false
  for (const one of all) {
    const { subject, findings } = await one
    isFirstStart ||= findings.includes(neverStarted)
    for (const finding of findings) print(subject, (isFirstStart && finding.beforeFirstStart) || finding)
  }
} else {
  for (const problem of parsed.problems) print('settings', wrong(problem))
}
process.stdout.write(
  process.exitCode === 1 ? 'Something is wrong: see the lines above.\n' : 'Nothing is wrong.\n',
)
// Connections that a check has left behind must not keep the terminal waiting.
process.exit()
