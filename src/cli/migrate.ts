// `npm run migrate`: brings the schema of DATABASE_URL up to date and prints the migrations that it applied. The app does the same
// when it starts; this program does it separately, before that. It needs no other variable.

import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { z } from 'zod'
import { type Database, openDatabase, rows } from '../db/client.ts'
import { cannotOpen } from '../db/outage.ts'
import { timestamp } from '../db/sql.ts'
import { systemClock } from '../runtime/clock.ts'
import { wrongDatabase } from '../runtime/env-values.ts'
import { readArguments } from './terminal.ts'

const connectTimeoutSeconds = 10

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const cannotUse = (error: unknown) => refuse(cannotOpen(error, url).message)

/** The time of the database's clock, which also writes `applied_at`. */
async function timeAt(url: string): Promise<Date> {
  if (url.startsWith('pglite:')) return systemClock.now()
  const client = postgres(url, {
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    onnotice: () => undefined,
  })
  try {
    const [row] = await client`select clock_timestamp() as now`
    return z.date().parse(row?.now)
  } finally {
    await client.end({ timeout: 1 })
  }
}

const named = z.object({ name: z.string(), is_new: z.boolean() })

const migrationsOf = (db: Database, since: Date) =>
  rows(
    db,
    sql`select name, applied_at >= ${timestamp(since)} as is_new from drizzle.__drizzle_migrations order by name`,
    named,
  )

readArguments('npm run migrate: brings the schema of DATABASE_URL up to date.')
const url = process.env.DATABASE_URL ?? ''
const wrong = wrongDatabase(url)
if (wrong) refuse(`DATABASE_URL: ${wrong}`)
const startedAt = await timeAt(url).catch(cannotUse)
const { db, close } = await openDatabase(url).catch(cannotUse)
const all = await migrationsOf(db, startedAt)
await close()

const applied = all.filter((one) => one.is_new)
for (const { name } of applied) process.stdout.write(`Applied ${name}\n`)
process.stdout.write(
  `The schema is up to date: ${all.length} migrations, ${applied.length} of them applied now.\n`,
)
