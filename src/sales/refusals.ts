// Refusals of us: the gateway's answer to one order says that it would refuse every other one, or every other one of the model. Sales stop,
// and the operators get the gateway's words at once. Words alone stop nothing until the answer to another order says the same. When the
// results of several orders of a model in a row cannot be downloaded, the sales of that model stop.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { artifacts, generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { type Clock, dayMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { usualTries } from '../telegram/send.ts'
import { isUnknownTask, type Meaning, meaningOf, type RefusalWords, type Told } from './refusal-words.ts'
import { reportStop, type Stop, type StopCause, stopSales, suspect } from './sales.ts'

export interface Refusal {
  readonly cause: Exclude<StopCause, 'unreachable'>
  /** Whether the status says it; words alone may be about something else. */
  readonly isCertain: boolean
  readonly said: string | undefined
}

export interface Refusals {
  /**
   * @param told an error of the gateway, or the words about a failed task
   * @param modelId in our catalog @param request what was sent to the gateway: words that it contains are no evidence
   * @returns undefined when not we are refused, but the request
   */
  of(told: Told, modelId: string | undefined, request: unknown): Refusal | undefined
  /** Whether an answer about a task means that the gateway does not know it. */
  isUnknownTask(told: Told): boolean
  /** Called once for each order, answer or style that was refused. */
  stop(refusal: Refusal): Promise<void>
  /** A result of an order of this model cannot be downloaded. @param said from where, and why */
  lost(modelId: string, said: string): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly refusalWords: RefusalWords
  /** So many orders in a row without a result that can be downloaded stop the sales of their model; 0 for never. */
  readonly mostLost: number
  /** Has the alarm sent now. */
  readonly wakeAlarms: () => void
}

export function createRefusals(deps: Deps): Refusals {
  const { db, clock, refusalWords, mostLost } = deps
  return {
    of(told, modelId, request) {
      const meaning = meaningOf(refusalWords, told, request)
      const cause = meaning && causeOf(meaning.about, modelId)
      return cause && { cause, isCertain: meaning.isCertain, said: told.said }
    },
    isUnknownTask: (told) => isUnknownTask(refusalWords, told),
    async stop({ cause, isCertain, said }) {
      const now = clock.now()
      const isStopped = isCertain || (await suspect(db, cause, now))
      await announce(deps, { cause, said, isStopped }, now)
    },
    async lost(modelId, said) {
      const now = clock.now()
      const cause = `lost:${modelId}` as const
      await suspect(db, cause, now)
      const isStopped = mostLost !== 0 && (await areLost(db, modelId, mostLost, now))
      await announce(deps, { cause, said, isStopped }, now)
    },
  }
}

async function announce({ db, log, wakeAlarms }: Deps, stop: Stop, now: Date): Promise<void> {
  const { cause, said, isStopped } = stop
  if (isStopped) await stopSales(db, cause, now)
  log.error({ cause, said }, isStopped ? 'sales stopped' : 'sales stop if this happens again')
  await reportStop(db, stop, now)
  wakeAlarms()
}

/**
 * Whether no result could be downloaded of the model's last orders of a day. An order that waits for its delivery counts after the usual
 * number of tries, since a server that does not answer is tried for longer.
 */
async function areLost(db: Database, modelId: string, orders: number, now: Date): Promise<boolean> {
  const has = (file: SQL) => sql`exists (select from ${artifacts} where generation_id = g.id and ${file})`
  const isLost = sql`(not ${has(sql`message_id is not null`)}
    and (${has(sql`lost is not null`)} or (g.delivery = 'pending' and g.attempts >= ${usualTries - 1}::integer)))`
  const query = sql`
    select count(*) filter (where is_lost) as lost from (
      select ${isLost} as is_lost from ${generations} g
      where g.model_id = ${modelId} and g.settled_at > ${timestamp(now, -dayMs)} and g.state = 'succeeded'
        and (g.delivery = 'delivered' or ${isLost})
      order by g.settled_at desc limit ${orders}::integer) last`
  return (await oneRow(db, query, z.object({ lost: z.coerce.number() }))).lost === orders
}

function causeOf(about: Meaning['about'], modelId: string | undefined): Refusal['cause'] | undefined {
  if (about === 'model') return modelId === undefined ? undefined : `model:${modelId}`
  return about === 'key' ? 'unauthorised' : 'out-of-balance'
}
