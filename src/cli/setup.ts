// `npm run setup`: asks the operator for the settings that the bot needs, checks each, and writes `.env` and the catalog at the end. Then the
// doctor runs, except for Docker, whose database is not there yet.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { programScript } from '../folders.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import { setUp } from './setup/wizard.ts'
import { readArguments } from './terminal.ts'

const help = `npm run setup: asks for the settings, checks them, and writes .env and settings/catalog.json. It asks before it writes, and
replaces no catalog. Ctrl-C leaves everything as it was.
  npm run setup -- <folder>   writes into this folder; by default into the present one`

const [folder = '.'] = readArguments(help, { most: 1 }).words
if (!existsSync(folder)) refuse(`${folder}: there is no such folder`)
if (!process.stdin.isTTY)
  refuse('npm run setup asks questions: start it in a terminal, or write .env by hand (.env.example)')

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const terminal = createInterface({ input: process.stdin, output: process.stdout })
terminal.on('close', () => {
  print('\nNothing was written.')
  process.exit(130)
})
const dialogue = { ask: async (question: string) => (await terminal.question(question)).trim(), print }
const written = await setUp(dialogue, folder, { clock: systemClock, ids: randomIds })
terminal.removeAllListeners('close')
terminal.close()

if (written === 'docker')
  print(`Start: docker compose up -d --build
Check: docker compose run --rm worker node built/cli/doctor.js`)
if (written === 'host') {
  const args = ['--env-file=.env', '--', programScript('cli/doctor').pathname]
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  print(
    status === 0
      ? 'Start: npm start'
      : 'Correct what is wrong (npm run setup keeps the rest), then: npm start',
  )
  process.exitCode = status ?? 1
}
