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
})
const name = z.object({ name: z.string().nullable() })
const owner = z.object({ bot_id: z.coerce.number() })
const lastRun = z.object({
  name: z.enum(lastRuns.name.enumValues),
  doneAt: z.coerce.date().nullable(),
  failedAt: z.coerce.date().nullable(),
})
const seen = z.object({ id: z.string(), at: z.coerce.date().nullable() })

export interface Inspected extends z.output<typeof figures> {
  /** Names of migrations that are not applied yet. */
  readonly missing: readonly string[]
  readonly lastRuns: readonly (typeof lastRuns.$inferSelect)[]
  /** The bot that the database belongs to; undefined before the first start. */
  readonly botId: number | undefined
  /** Why nothing can be written; undefined when a write succeeds. */
  readonly unwritable: string | undefined
}

async function connected<T>(url: string, look: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined })
  try {
    return await look(client)
  } finally {
    await client.end({ timeout: 1 })
  }
}

type Times = ReadonlyMap<string, Date>

/** None when the database cannot be read: another check says why. @param ask a query of an `id` and the time `at` of each row */
async function timesOf(
  url: string,
  ask: (client: postgres.Sql) => PromiseLike<Iterable<unknown>>,
): Promise<Times> {
  if (!url.startsWith('postgres')) return new Map()
  const found = await connected(url, async (client) => z.array(seen).parse([...(await ask(client))])).catch(
    () => [],
  )
  return new Map(found.flatMap(({ id, at }) => (at ? [[id, at] as const] : [])))
}

/**
 * The ids of models at the gateway with which an order was delivered or a question answered within the last three months, with the last
 * time.
 */
export const readSoldIds = (url: string): Promise<Times> =>
  timesOf(
    url,
    (client) => client`
      select id, max(at) as at from (
        select request ->> 'model' as id, settled_at as at from generations where delivery = 'delivered' and state = 'succeeded'
        union all select model_id, settled_at from turns where state = 'done'
      ) sold where id is not null and at > now() - interval '3 months' group by id`,
  )

/** What orders and styles show about the gateway, with the last time. */
export const readSeen = (url: string): Promise<Times> =>
  timesOf(
    url,
    (client) => client`
      with delivered as (
        select id, request, settled_at from generations where delivery = 'delivered' and state = 'succeeded'
      )
      select 'styles' as id, max(created_at) as at from styles
      union all select 'speakers', max(settled_at) from delivered where request ? 'speakers'
      union all select 'continued', max(settled_at) from delivered
        where jsonb_path_exists(request, '$.keyframes.*.type ? (@ == "generation")')
      union all select 'resultId', max(settled_at) from delivered
        where exists (select from artifacts a where a.generation_id = delivered.id and a.result_id is not null)`,
  )

/** @throws errors of the driver */
export const inspectDatabase = (url: string): Promise<Inspected> =>
  connected(url, async (client) => {
    const [row] = await client`
      select current_setting('server_version') as version, (select count(*) from pg_stat_activity) as used,
        current_setting('max_connections') as most, clock_timestamp() as now`
    /** None if there is no such table yet. */
    const rowsOf = async <T>(table: string, columns: string, one: z.ZodType<T>): Promise<T[]> => {
      const [known] = await client`select to_regclass(${table}) is not null as is_there`
      const found = known?.is_there ? await client.unsafe(`select ${columns} from ${table}`) : []
      return z.array(one).parse([...found])
    }
    const applied = new Set(
      (await rowsOf('drizzle.__drizzle_migrations', 'name', name)).map((one) => one.name),
    )
    const [bot] = await rowsOf('installation', 'bot_id', owner)
    return {
      ...figures.parse(row),
      missing: readdirSync(migrationsFolder).filter((one) => !applied.has(one)),
      lastRuns: await rowsOf('last_runs', 'name, done_at as "doneAt", failed_at as "failedAt"', lastRun),
      botId: bot?.bot_id,
      unwritable: await failureOfWrite(client),
    }
  })

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
