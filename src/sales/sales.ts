// Why and until when nothing is sold: the gateway refuses our key, has no money for us, or cannot be reached; or one model is not sold:
// the gateway does not know it or does not let us use it, or its results cannot be downloaded. The stops are rows of a table, so that they
// apply to every process at once.

import { eq, gt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { offeredModels, type TextModel } from '../catalog/text-models.ts'
import { type Database, rows } from '../db/client.ts'
import { alarms, generations, salesStops, switches } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { hourMs, minuteMs } from '../runtime/clock.ts'

/** A cause that concerns one model names it after a colon: the gateway refuses it, or its results cannot be downloaded. */
export type StopCause = 'unauthorised' | 'out-of-balance' | 'unreachable' | `${'model' | 'lost'}:${string}`

/** An SQL text; null if the cause concerns all models. */
export const modelOf = (cause: SQL): SQL => sql`substr(${cause}, nullif(strpos(${cause}, ':'), 0) + 1)`
export const concerns = (cause: SQL, modelId: SQL): SQL => sql`coalesce(${modelOf(cause)} = ${modelId}, true)`

/** An SQL condition on an order `g` that ended after a stop began: the order succeeded, so the cause of the stop is gone. */
export const disproves = (cause: SQL): SQL => sql`(
  g.state = 'succeeded' and ${concerns(cause, sql`g.model_id`)} and (${cause} not like 'lost:%' or g.delivery = 'delivered'))`

/**
 * How long a stop lasts. Only the next order shows whether a refusal has ended, and only its delivery, minutes later, whether results can be
 * downloaded again; a single look at a task shows whether an outage has ended.
 */
export const pauseMs = { refused: 5 * minuteMs, lost: 15 * minuteMs, unreachable: minuteMs / 2 }

function pauseOf(cause: StopCause): number {
  if (cause === 'unreachable') return pauseMs.unreachable
  return cause.startsWith('lost:') ? pauseMs.lost : pauseMs.refused
}

export async function stopSales(db: Database, cause: StopCause, now: Date): Promise<void> {
  const until = new Date(now.getTime() + pauseOf(cause))
  await db
    .insert(salesStops)
    .values({ cause, since: now, until })
    .onConflictDoUpdate({ target: salesStops.cause, set: { until: sql`excluded.until` } })
}

/** For so long after a suspicion, or a stop, another order confirms it. */
const suspectedMs = hourMs

/**
 * Notes that an order may have been refused because of us, as a stop that has ended when it begins. An order that succeeded since the last
 * refusal refutes that one: otherwise two people whose prompts provoke such words could stop all sales.
 * @returns true when another order was refused in this way shortly before
 */
export async function suspect(db: Database, cause: StopCause, now: Date): Promise<boolean> {
  const before = timestamp(now, -suspectedMs)
  const isRefuted = sql`exists (
    select from ${generations} g where g.settled_at > noted.until and ${disproves(sql`noted.cause`)})`
  const noted = await rows(
    db,
    sql`
      insert into ${salesStops} as noted (cause, since, until) values (${cause}, ${timestamp(now)}, ${timestamp(now)})
      on conflict (cause) do update set since = excluded.since, until = excluded.until 
      where noted.until <= ${before} or ${isRefuted}
      returning cause`,
    z.object({ cause: z.string() }),
  )
  return noted.length === 0
}

/** A condition on a row of `sales_stops`: nothing was stopped yet. */
export const isSuspicion = sql`${salesStops.until} <= ${salesStops.since}`

/** The name of the alarm about a stop. */
export const alarmOfStop = (cause: StopCause | SQL) => sql`'sales:' || ${cause}::text`

export interface Stop {
  readonly cause: StopCause
  /** Undefined when the gateway gave no reason. */
  readonly said: string | undefined
  readonly isStopped: boolean
}

/** The fact of an alarm: the cause, `?` for a suspicion, and the gateway's words in the lines after it. */
const factOf = ({ cause, said, isStopped }: Stop): string =>
  [isStopped ? cause : `${cause}?`, ...(said === undefined ? [] : [said])].join('\n')

export function readStopFact(fact: string): Stop {
  const [first = '', ...said] = fact.split('\n')
  const cause = stopCause.parse(first.replace(/\?$/, ''))
  return { cause, said: said.join('\n') || undefined, isStopped: !first.endsWith('?') }
}

const stopCause = z.union([
  z.enum(['unauthorised', 'out-of-balance', 'unreachable']),
  z.templateLiteral([z.enum(['model', 'lost']), ':', z.string()]),
])

/** Opens the alarm with the gateway's words. An alarm about a suspicion is sent again when sales stop. */
export async function reportStop(db: Database, stop: Stop, now: Date): Promise<void> {
  const fact = factOf(stop)
  await db.execute(sql`
    insert into ${alarms} as open (name, fact, since) values (${alarmOfStop(stop.cause)}, ${fact}, ${timestamp(now)})
    on conflict (name) do update set fact = excluded.fact,
      said_at = case when ${stop.isStopped} and split_part(open.fact, chr(10), 1) like '%?' then null else open.said_at end
    where ${stop.isStopped} or split_part(open.fact, chr(10), 1) like '%?'`)
}

/** A condition on a row of `sales_stops`. */
export const isUnreachable = eq(salesStops.cause, 'unreachable' satisfies StopCause)

/** A condition on any statement: sales of everything, or of this model, are stopped. */
export const isStopped = (now: Date, modelId?: SQL): SQL<boolean> => {
  const ofThis = modelId ? concerns(sql`cause`, modelId) : sql`${modelOf(sql`cause`)} is null`
  return sql<boolean>`exists (select from ${salesStops} where ${gt(salesStops.until, now)} and ${ofThis})`
}

/** The ids of the models whose sales are stopped, as a JSON list; null for a stop of all sales. */
export const stoppedModels = (now: Date): SQL<(string | null)[]> =>
  sql`(select coalesce(jsonb_agg(${modelOf(sql`cause`)}), '[]') from ${salesStops} where ${gt(salesStops.until, now)})`

export async function salesStopped(db: Database, now: Date): Promise<boolean> {
  const found = await rows(db, sql`select ${isStopped(now)} as stopped`, z.object({ stopped: z.boolean() }))
  return found[0]?.stopped === true
}

// The models and functions that an operator has switched off while the app runs. The table is read for every order and card: it has only
// a few rows, and a change applies to every process at once.

/** New orders are refused; orders under way are completed. */
export const maintenance = 'maintenance'
export const modelSwitch = (modelId: string): string => `model:${modelId}`

/** The names of the switches that are off. */
export async function switchedOff(db: Database): Promise<ReadonlySet<string>> {
  const found = await db.select({ name: switches.name }).from(switches)
  return new Set(found.map(({ name }) => name))
}

interface TextDeps {
  readonly db: Database
  readonly textModels: readonly TextModel[]
}

export async function textModelsOnSale({ db, textModels }: TextDeps): Promise<readonly TextModel[]> {
  const off = await switchedOff(db)
  return offeredModels(textModels).filter(({ id }) => !off.has(modelSwitch(id)))
}

/** The ids of the models that are off, as a JSON list with the names of the other switches that are off. */
export const switchedOffModels: SQL<string[]> = sql<string[]>`(
  select coalesce(jsonb_agg(replace(name, ${modelSwitch('')}::text, '')), '[]') from ${switches})`

/** A condition on any statement: the switch with this name is off. */
export const isOff = (name: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${switches} where ${switches.name} = ${name})`
