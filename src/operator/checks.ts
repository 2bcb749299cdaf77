// What may be wrong at a moment. Each check reads the tables and names its troubles; who is told of them is not its business.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { generations, salesStops } from '../db/schema.ts'
import { maxDeliveryAttempts } from '../generations/pace.ts'
import { audit } from '../ledger/audit.ts'

export type TroubleKind = 'sales' | 'failures' | 'stuck' | 'undelivered' | 'audit'

export interface Trouble {
  readonly kind: TroubleKind
  /** What exactly, where a kind can be wrong in several ways: a model, a cause. */
  readonly what?: string
  /** Figures and ids, in no language. */
  readonly fact: string
}

export type Check = (db: Database, now: Date) => Promise<Trouble[]>

const minute = 60_000
const hour = 60 * minute
const before = (now: Date, ms: number) => sql`${new Date(now.getTime() - ms)}::timestamptz`

/** A stop lapses after minutes and comes back with the next order; that is one trouble, not many. */
const salesMemoryMs = 15 * minute

export const salesCheck: Check = async (db, now) => {
  const found = sql`
    select cause from ${salesStops} where until > ${before(now, salesMemoryMs)} order by cause`
  const stops = await rows(db, found, z.object({ cause: z.string() }))
  return stops.map(({ cause }) => ({ kind: 'sales', what: cause, fact: cause }))
}

const failures = { windowMs: hour, atLeast: 5, ofHundred: 50 }

const failureRow = z.object({ model_id: z.string(), failed: z.coerce.number(), ended: z.coerce.number() })

/** Model by model; what the user or the operator caused is left out. */
export const failuresCheck: Check = async (db, now) => {
  const found = sql`
    select model_id, count(*) filter (where state <> 'succeeded') as failed, count(*) as ended
    from ${generations}
    where settled_at > ${before(now, failures.windowMs)} and coalesce(reason, '') not in ('no-file', 'paused')
    group by model_id
    having count(*) filter (where state <> 'succeeded') >= ${failures.atLeast}
      and count(*) filter (where state <> 'succeeded') * 100 >= count(*) * ${failures.ofHundred}
    order by model_id`
  const models = await rows(db, found, failureRow)
  return models.map(({ model_id, failed, ended }) => ({
    kind: 'failures',
    what: model_id,
    fact: `${model_id}: ${failed} / ${ended}`,
  }))
}

/** How long is too long: to run, to wait for a submit, to be due with nobody looking, to have an unknown outcome. */
const late = { running: 20 * minute, held: 5 * minute, due: 5 * minute, unknown: 2 * minute }

export const stuckCheck: Check = async (db, now) => {
  const found = sql`
    select id from ${generations}
    where (state = 'running' and submitted_at < ${before(now, late.running)})
      or (state in ('held', 'submitting') and created_at < ${before(now, late.held)})
      or (state = 'unknown' and submitted_at < ${before(now, late.unknown)})
      or (next_check_at < ${before(now, late.due)} and (lease_until is null or lease_until < ${before(now, 0)}))
    order by created_at`
  return listed('stuck', await rows(db, found, z.object({ id: z.string() })))
}

/** Given up after many attempts; a few at once even when each was refused outright (somebody who blocks the bot is usual). */
const undelivered = { windowMs: 24 * hour, refusedWithinMs: hour, refusedAtLeast: 5 }

export const undeliveredCheck: Check = async (db, now) => {
  const found = sql`
    select id, attempts >= ${maxDeliveryAttempts} as exhausted, settled_at > ${before(now, undelivered.refusedWithinMs)} as recent
    from ${generations}
    where delivery = 'undeliverable' and state = 'succeeded' and settled_at > ${before(now, undelivered.windowMs)}
    order by settled_at desc`
  const row = z.object({ id: z.string(), exhausted: z.boolean(), recent: z.boolean() })
  const all = await rows(db, found, row)
  const refused = all.filter(({ exhausted, recent }) => !exhausted && recent)
  const counted = refused.length >= undelivered.refusedAtLeast ? refused : []
  return listed('undelivered', [...all.filter(({ exhausted }) => exhausted), ...counted])
}

export const auditCheck: Check = async (db) => {
  const findings = await audit(db)
  const shown = findings
    .slice(0, 5)
    .map(({ invariant, subject, fact }) => `${invariant}: ${subject}, ${fact}`)
  return findings.length === 0 ? [] : [{ kind: 'audit', fact: `${findings.length}: ${shown.join('; ')}` }]
}

function listed(kind: TroubleKind, found: readonly { id: string }[]): Trouble[] {
  if (found.length === 0) return []
  const ids = found.slice(0, 5).map(({ id }) => id)
  return [{ kind, fact: `${found.length}: ${ids.join(', ')}${found.length > ids.length ? '…' : ''}` }]
}
