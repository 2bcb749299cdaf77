// One Drizzle type for two engines: PostgreSQL (`postgres://…`) and embedded PGlite (`pglite:./folder`). Opening a database migrates its
// schema, in one process at a time.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm'
import type { PgAsyncDatabase } from 'drizzle-orm/pg-core'
import type { PgQueryResultHKT } from 'drizzle-orm/pg-core/session'
import { drizzle as overPostgres } from 'drizzle-orm/postgres-js'
import { z } from 'zod'
import { migrationsFolder } from '../folders.ts'
import type { Clock } from '../runtime/clock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import { lockFolder } from './folder-lock.ts'
import { createNudges, type Nudges, notifyOver } from './nudges.ts'
import { openClient, openPool, usualConnections } from './pool.ts'

export type Database = PgAsyncDatabase<PgQueryResultHKT>

/** What work on the database needs: leases and deadlines are compared with the time of the clock. */
export interface DbDeps {
  readonly db: Database
  readonly clock: Clock
}

export interface OpenDatabase {
  readonly db: Database
  /** Nudges that reach every process that has this database open. */
  readonly nudges: Nudges
  /** The migrations that were applied when it was opened. */
  readonly applied: readonly string[]
  close(): Promise<void>
}

/** Key of the advisory lock: an arbitrary number, the same in every process. */
const migrationLock = 4_605_771

/** The database lacks migrations, and the caller did not allow to apply them. */
export class OutdatedSchema extends Error {
  override name = 'OutdatedSchema'
}

interface Opening {
  /** The clock for the time limits of statements on a server; without a clock there are none. */
  readonly clock?: Clock
  /** The most connections, without the one that listens for notifications; the embedded database has a single connection. */
  readonly connections?: number
  /** Whether an earlier schema is migrated or refused. */
  readonly earlierSchema?: 'migrate' | 'refuse'
}

/** @throws FolderInUse when another process has the embedded database open; CannotStart beside an earlier version; OutdatedSchema */
export function openDatabase(url: string, opening: Opening = {}): Promise<OpenDatabase> {
  return url.startsWith('pglite:')
    ? openEmbedded(url.slice('pglite:'.length), opening)
    : openServer(url, opening)
}

/** @returns the migrations that were missing and are applied now */
async function bringUpToDate(
  db: Database,
  { earlierSchema }: Opening,
  migrate: () => Promise<unknown>,
): Promise<readonly string[]> {
  const missing = await missingMigrations(db)
  if (missing.length === 0) return missing
  if (earlierSchema === 'refuse') throw new OutdatedSchema('the schema is that of an earlier version')
  await migrate()
  return missing
}

async function openEmbedded(folder: string, opening: Opening): Promise<OpenDatabase> {
  const unlock = await lockFolder(folder)
  try {
    // Loaded only here, since a database on a server needs none of it.
    const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
    ])
    const client = await PGlite.create(join(folder, 'pglite'))
    const db = drizzle({ client })
    const applied = await bringUpToDate(db, opening, () => migrate(db, { migrationsFolder }))
    return {
      db,
      applied,
      nudges: createNudges().nudges,
      async close() {
        await client.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function openServer(url: string, opening: Opening): Promise<OpenDatabase> {
  const { clock, connections = usualConnections } = opening
  const { db, end } = openPool(url, connections, clock)
  const listening = openClient(url)
  const close = async () => {
    await Promise.all([end(), listening.end({ timeout: 5 })])
  }
  const send = async (channel: string, payload: string) =>
    db.execute(sql`select pg_notify(${channel}, ${payload})`)
  try {
    const applied = await bringUpToDate(db, opening, () => migrateServer(url))
    return { db, applied, nudges: notifyOver(send, listening), close }
  } catch (error) {
    await close()
    throw error
  }
}

const migration = z.object({ name: z.string().nullable() })
/** A missing table, column or schema. */
const missingCodes = ['42P01', '42703', '3F000']

/**
 * The migrations that are not applied. Only one statement is sent, since usually there is nothing to migrate. Migrations are known by the
 * names of their folders.
 */
async function missingMigrations(db: Database): Promise<readonly string[]> {
  const all = readdirSync(migrationsFolder).toSorted()
  try {
    const applied = await rows(db, sql`select name from drizzle.__drizzle_migrations`, migration)
    const names = new Set(applied.map(({ name }) => name))
    return all.filter((name) => !names.has(name))
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined
    if (cause && 'code' in cause && missingCodes.includes(String(cause.code))) return all
    throw error
  }
}

/** A migration locks tables, and may be the victim of a deadlock with the statements of running processes. */
async function migrateServer(url: string, attempts = 6): Promise<void> {
  try {
    await migrateOnce(url)
  } catch (error) {
    if (!isDeadlock(error) || attempts <= 1) throw error
    await migrateServer(url, attempts - 1)
  }
}

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '40P01') || isDeadlock(error.cause))

async function migrateOnce(url: string): Promise<void> {
  const { migrate } = await import('drizzle-orm/postgres-js/migrator')
  const client = openClient(url)
  const db = overPostgres({ client })
  try {
    await db.execute(sql`select pg_advisory_lock(${migrationLock})`)
    await refuseBesideEarlier(db)
    await migrate(db, { migrationsFolder })
  } finally {
    // Closing the connection releases the lock.
    await client.end({ timeout: 5 })
  }
}

/**
 * The migration `accounts` moves tables that earlier versions write, so no process of theirs may run. Each of them has a connection that
 * listens for nudges; those of this version listen only once the schema is migrated.
 */
async function refuseBesideEarlier(db: Database): Promise<void> {
  const query = sql`
    select to_regclass('balances') is not null and exists (
      select from pg_stat_activity where datname = current_database() and query ilike 'listen %'
    ) as is_in_use`
  const { is_in_use } = await oneRow(db, query, z.object({ is_in_use: z.boolean() }))
  if (is_in_use)
    throw new CannotStart(
      'DATABASE_URL: a process of an earlier version is running, which cannot use the tables of this one; stop all of its processes, then start again',
    )
}

const answerMs = 3000

export async function answersInTime(db: Database, clock: Clock): Promise<boolean> {
  const answered = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, clock.wait(answerMs).then(() => false)])
}

/** Runs one statement and checks each row it returns. */
export async function rows<T>(db: Database, statement: SQL, row: z.ZodType<T>): Promise<T[]> {
  const found = await db.execute(statement, 'objects')
  return found.map((one) => row.parse(one))
}

/** The row of a query that always returns exactly one, such as a sum. */
export async function oneRow<T>(db: Database, statement: SQL, row: z.ZodType<T>): Promise<T> {
  const [found, ...others] = await db.execute(statement, 'objects')
  assert(found && others.length === 0, 'the query has one row')
  return row.parse(found)
}

/** The name of the violated constraint, if the error is a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('constraint_name' in at && typeof at.constraint_name === 'string') return at.constraint_name
    if ('constraint' in at && typeof at.constraint === 'string') return at.constraint
  }
  return undefined
}
