// Looks at a database on a server without changing it: its version, migrations, connections and clock, and whether it can be written to.

import { readdirSync } from 'node:fs'
import postgres from 'postgres'
import { z } from 'zod'
import { migrationsFolder } from '../folders.ts'
import { causesOf } from '../runtime/log.ts'
import { lastRuns } from './schema.ts'

const figures = z.object({
  version: z.string(),
  used: z.coerce.number(),
  most: z.coerce.number(),
  now: z.coerce.date(),
  has_migrations: z.boolean(),
  has_runs: z.boolean(),
  has_bot: z.boolean(),
})
const owner = z.object({ bot_id: z.coerce.number() })
const applied = z.array(z.object({ name: z.string().nullable() }))
const runs = z.array(
  z.object({
    name: z.enum(lastRuns.name.enumValues),
    doneAt: z.coerce.date().nullable(),
    failedAt: z.coerce.date().nullable(),
  }),
)

export interface Inspected {
  readonly version: string
  readonly connections: { readonly used: number; readonly most: number }
  readonly now: Date
  /** Names of migrations that are not applied yet. */
  readonly missing: readonly string[]
  readonly lastRuns: readonly (typeof lastRuns.$inferSelect)[]
  /** The bot that the database belongs to; undefined before the first start. */
  readonly botId: number | undefined
  /** Why nothing can be written; undefined when a write succeeds. */
  readonly unwritable: string | undefined
}

const connect = (url: string) =>
  postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined })

const sold = z.array(z.object({ id: z.string(), at: z.coerce.date() }))

/**
 * The ids of models at the gateway with which an order was delivered or a question answered within the last three months, with the last
 * time. None when the database cannot be read: another check says why.
 */
export async function readSoldIds(url: string): Promise<ReadonlyMap<string, Date>> {
  if (!url.startsWith('postgres')) return new Map()
  const client = connect(url)
  try {
    const found = await client`
      select id, max(at) as at from (
        select request ->> 'model' as id, settled_at as at from generations where delivery = 'delivered' and state = 'succeeded'
        union all select model_id, settled_at from turns where state = 'done'
      ) sold where id is not null and at > now() - interval '3 months' group by id`
    return new Map(sold.parse([...found]).map(({ id, at }) => [id, at]))
  } catch {
    return new Map()
  } finally {
    await client.end({ timeout: 1 })
  }
}

/** @throws errors of the driver */
export async function inspectDatabase(url: string): Promise<Inspected> {
  const client = connect(url)
  try {
    const [row] = await client`
      select current_setting('server_version') as version, (select count(*) from pg_stat_activity) as used,
        current_setting('max_connections') as most, clock_timestamp() as now,
        to_regclass('drizzle.__drizzle_migrations') is not null as has_migrations,
        to_regclass('last_runs') is not null as has_runs, to_regclass('installation') is not null as has_bot`
    const { version, used, most, now, has_migrations, has_runs, has_bot } = figures.parse(row)
    const rows = has_migrations ? await client`select name from drizzle.__drizzle_migrations` : []
    const names = new Set(applied.parse([...rows]).map(({ name }) => name))
    const [bot] = has_bot ? await client`select bot_id from installation` : []
    const missing = readdirSync(migrationsFolder).filter((name) => !names.has(name))
    const ended = has_runs
      ? await client`select name, done_at as "doneAt", failed_at as "failedAt" from last_runs`
      : []
    const botId = bot && owner.parse(bot).bot_id
    const unwritable = await failureOfWrite(client)
    return {
      version,
      connections: { used, most },
      now,
      missing,
      lastRuns: runs.parse([...ended]),
      botId,
      unwritable,
    }
  } finally {
    await client.end({ timeout: 1 })
  }
}

class RolledBack extends Error {}

/** Writes a quarter of a megabyte that cannot be compressed into a new table, and rolls back: a full disk has no room for it. */
async function failureOfWrite(client: postgres.Sql): Promise<string | undefined> {
  try {
    await client.begin(async (transaction) => {
      await transaction`create table doctor_writes as
        select md5(n::text || clock_timestamp()) from generate_series(1, 8000) n`
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) return causesOf(error)[0]
  }
  return undefined
}
