// `npm run migrate`: brings the schema of DATABASE_URL up to date and prints the migrations that it applied. The app does the same
// when it starts; this program does it separately, before that. It needs no other variable.

import { readdirSync } from 'node:fs'
import { openDatabase } from '../db/client.ts'
import { cannotOpen } from '../db/outage.ts'
import { migrationsFolder } from '../folders.ts'
import { wrongDatabase } from '../runtime/env-values.ts'
import { readArguments } from './terminal.ts'

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

readArguments('npm run migrate: brings the schema of DATABASE_URL up to date.')
const url = process.env.DATABASE_URL ?? ''
const wrong = wrongDatabase(url)
if (wrong) refuse(`DATABASE_URL: ${wrong}`)
const { applied, close } = await openDatabase(url).catch((error: unknown) =>
  refuse(cannotOpen(error, url).message),
)
await close()
for (const name of applied) process.stdout.write(`Applied ${name}\n`)
const all = readdirSync(migrationsFolder)
process.stdout.write(
  `The schema is up to date: ${all.length} migrations, ${applied.length} of them applied now.\n`,
)
