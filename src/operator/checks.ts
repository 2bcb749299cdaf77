// Checks for troubles. Each reads the tables and returns what is wrong now; alarms.ts sends it to the operators.

import { eq, gte, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree } from '../db/queue.ts'
import {
  accounts,
  alarms,
  generations,
  lastRuns,
  leaderLeases,
  reports,
  salesStops,
  taxReceipts,
  transfers,
  turns,
  updates,
} from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { audit } from '../ledger/audit.ts'
import { deliveryIs, isAwaited, reasonIs, stateIs } from '../orders/generation.ts'
import { openUnmatched } from '../payments/payment.ts'
import { dayMs, hourMs, minuteMs } from '../runtime/clock.ts'
import { alarmOfStop, concerns, disproves, isSuspicion, isUnreachable, modelOf } from '../sales/sales.ts'
import { maxDeliveryAttempts } from '../telegram/send.ts'

interface Trouble {
  /** Distinguishes troubles of one kind: a model, a cause. */
  readonly what?: string
  /** Figures and ids, independent of language. */
  readonly fact: string
}

export type Check = (db: Database, now: Date) => Promise<Trouble[]>

const mostShown = 5
const foundRow = z.object({ id: z.coerce.string(), found: z.coerce.number() })

/** A stop ends after minutes and may begin again with the next order: within this time it counts as one trouble. */
const salesStopMs = 15 * minuteMs

const cause = sql`${salesStops.cause}`

/** Whether an order or an answer that began after the stop has succeeded, which shows that the gateway accepts our requests again. */
const isTakenAgain = sql`(
  exists (select from ${generations} g
    where g.settled_at > ${salesStops.until} and g.submitted_at > ${salesStops.until} and ${disproves(cause)})
  or exists (select from ${turns} where ${turns.createdAt} > ${salesStops.until} and ${inArray(turns.state, ['done', 'stopped'])}
      and ${concerns(cause, sql`${turns.modelId}`)}))`

/** A model may not be sold any more, and a suspicion may have been wrong. */
const isForgotten = (now: Date) =>
  sql`((${modelOf(cause)} is not null or ${isSuspicion}) and ${salesStops.until} < ${timestamp(now, -dayMs)})`

/** A refusal of us is reported until a request has succeeded. The row of an outage is deleted by a successful probe. */
export const salesCheck: Check = async (db, now) => {
  const found = sql`
    select cause, coalesce(${alarms.fact}, cause) as fact
    from ${salesStops} left join ${alarms} on ${alarms.name} = ${alarmOfStop(sql`cause`)}
    where until > ${timestamp(now, -salesStopMs)}
      or (not ${isUnreachable} and not ${isTakenAgain} and not ${isForgotten(now)})
    order by cause`
  const stops = await rows(db, found, z.object({ cause: z.string(), fact: z.string() }))
  return stops.map(({ cause, fact }) => ({ what: cause, fact }))
}

const failures = { windowMs: hourMs, atLeast: 5, percent: 50 }

const failureRow = z.object({ model_id: z.string(), failed: z.coerce.number(), ended: z.coerce.number() })

/** Answers in the state `failed` without a `failure` are no failures of the model: their users stopped them before the first word. */
const isStoppedOrEmpty = sql`coalesce(failure, state) in ('failed', 'paused', 'empty', 'declined')`

/** Counts failures of orders and answers by model. Failures caused by the user or the operator do not count. */
const failuresCheck: Check = async (db, now) => {
  const since = timestamp(now, -failures.windowMs)
  const failed = sql`count(*) filter (where is_failed)`
  const found = sql`
    select model_id, ${failed} as failed, count(*) as ended
    from (
      select model_id, ${ne(generations.state, 'succeeded')} as is_failed from ${generations}
      where settled_at > ${since} and ${reasonIs('no-file', 'paused', 'withdrawn')} is not true
      union all
      select model_id, ${isNotNull(turns.failure)} from ${turns}
      where settled_at > ${since} and not ${isStoppedOrEmpty}
    ) both_kinds
    group by model_id
    having ${failed} >= ${failures.atLeast}
      and ${failed} * 100 >= count(*) * ${failures.percent}
    order by model_id`
  const models = await rows(db, found, failureRow)
  return models.map(({ model_id, failed, ended }) => ({
    what: model_id,
    fact: `${model_id}: ${failed} / ${ended}`,
  }))
}

/** The limits of three times: waiting for the submit, being due without a lease, and an unknown outcome. */
const stuckAfter = { held: 5 * minuteMs, due: 5 * minuteMs, unknown: 2 * minuteMs }
/** A running task is late ten minutes before its deadline, or in the last third of a short time limit. */
const lateAt = sql`coalesce(
  deadline_at - least(interval '10 minutes', (deadline_at - submitted_at) / 3), submitted_at + interval '20 minutes')`

/** Live generations have `next_check_at`, so the partial index on it is used. */
const stuckCheck: Check = async (db, now) => {
  const found = sql`
    select id, count(*) over () as found from ${generations}
    where next_check_at is not null and (
      (${eq(generations.state, 'running')} and ${lateAt} < ${timestamp(now)})
      or (${inArray(generations.state, ['held', 'submitting'])} and created_at < ${timestamp(now, -stuckAfter.held)})
      or (${eq(generations.state, 'unknown')} and submitted_at < ${timestamp(now, -stuckAfter.unknown)})
      or (not ${isAwaited} and next_check_at < ${timestamp(now, -stuckAfter.due)} and ${isFree(generations, now)}))
    order by created_at limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

/** Refusals (a user blocks the bot) count only when there are several within this time. */
const refusals = { withinMs: hourMs, atLeast: 5 }
/** Neither refunded in full, nor removed from the list by its user, nor of a user whose data were deleted, which empties the chat. */
const isOwed = sql`captured > coalesce(refunded, 0) and hidden_at is null and chat_id <> 0`

/** Deliveries given up after many attempts, until their users fetch the results or the orders are refunded. */
export const undeliveredCheck: Check = async (db, now) => {
  const exhausted = gte(generations.attempts, maxDeliveryAttempts)
  const found = sql`
    with given_up as (
      select id, settled_at, ${exhausted} as exhausted from ${generations}
      where ${deliveryIs('undeliverable')} and ${stateIs('succeeded')} and ${isOwed}
        and (${exhausted} or settled_at > ${timestamp(now, -refusals.withinMs)})
    )
    select id, count(*) over () as found from given_up
    where exhausted or (select count(*) from given_up where not exhausted) >= ${refusals.atLeast}
    order by exhausted desc, settled_at desc limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

const waitedMs = 5 * minuteMs

/** Updates that no process handles, or whose handling keeps failing. */
const updatesCheck: Check = async (db, now) => {
  const found = sql`
    select id, count(*) over () as found from ${updates}
    where done_at is null and received_at < ${timestamp(now, -waitedMs)}
    order by seq limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

const setAsideCheck: Check = async (db) => {
  const found = sql`
    select id, count(*) over () as found from ${updates}
    where set_aside_at is not null order by set_aside_at limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

/** Payments that fit no top-up and are not assigned. */
const paymentsCheck: Check = async (db) => {
  const open = await openUnmatched(db)
  if (open.length === 0) return []
  const shown = open.slice(0, mostShown).map(({ provider, chargeId }) => `${provider}:${chargeId}`)
  return [{ fact: `${open.length}: ${shown.join(', ')}` }]
}

/** Receipts that have failed for two hours and are still retried. Receipts that are switched off are not retried and raise no alarm. */
export const taxReceiptsCheck: Check = async (db, now) => {
  const found = sql`
    select id || ' · ' || said as id, count(*) over () as found from ${taxReceipts}
    where failing_since < ${timestamp(now, -2 * hourMs)} and due_at > ${timestamp(now, -dayMs)}
    order by failing_since limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

/**
 * People who owe money because a payment was refunded within the last day and its credit, or what it had brought, was spent. They may not
 * pay for ever.
 */
const debtsCheck: Check = async (db, now) => {
  const found = sql`
    select format('#%s %s ₽', owner_id, to_char(owed / 100.0, 'FM999999999990.00')) as id, count(*) over () as found
    from ${accounts} where owed > 0 and owner_id in (
      select user_id from ${transfers}
      where ${isOneOf(transfers.credit, 'provider', 'promotions')} and created_at > ${timestamp(now, -dayMs)})
    order by owed desc, owner_id limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

const reportWaitsMs = 12 * hourMs

/**
 * Problem reports that nobody has decided. A report is stored before the operators are told of it, so a process that ends in between, or a
 * failing message, leaves one of which no operator knows.
 */
const reportsCheck: Check = async (db, now) => {
  const found = sql`
    select generation_id as id, count(*) over () as found from ${reports}
    where ${isOneOf(reports.state, 'open')} and created_at < ${timestamp(now, -reportWaitsMs)}
    order by created_at limit ${mostShown}`
  return listed(await rows(db, found, foundRow))
}

const contestedMs = 10 * minuteMs

/** Another installation uses the same bot token. */
export const tokenCheck: Check = async (db, now) => {
  const found = sql`select name from ${leaderLeases} where contested_at > ${timestamp(now, -contestedMs)} order by name`
  const contested = await rows(db, found, z.object({ name: z.string() }))
  return contested.map(({ name }) => ({ what: name, fact: name }))
}

const auditCheck: Check = async (db, now) => {
  const findings = await audit(db)
  await recordAudit(db, now)
  const shown = findings
    .slice(0, mostShown)
    .map(({ invariant, subject, fact }) => `${invariant}: ${subject}, ${fact}`)
  return findings.length === 0 ? [] : [{ fact: `${findings.length}: ${shown.join('; ')}` }]
}

/** A regular job is overdue, or its last run failed. */
const overdueCheck =
  (job: 'audit' | 'backup'): Check =>
  async (db, now) => {
    const runs = await db.select().from(lastRuns).where(eq(lastRuns.name, job))
    return runs.filter((run) => isOverdue(run, now)).map((run) => ({ fact: completedAt(run) }))
  }

/** @param shown the first few rows; `found` counts all */
function listed(shown: readonly z.output<typeof foundRow>[]): Trouble[] {
  const [first] = shown
  if (!first) return []
  const ids = shown.map(({ id }) => id).join(', ')
  return [{ fact: `${first.found}: ${ids}${first.found > shown.length ? '…' : ''}` }]
}

// Regular jobs: when the audit and the backup ended last, and whether they are overdue. A job without a row was never made, and is nobody's
// trouble: an operator may make backups by other means.

type LastRun = typeof lastRuns.$inferSelect
type Job = LastRun['name']

/** The audit is made every hour, or less often on a large database; a backup at least once a day. */
const overdueMs: Readonly<Record<Job, number>> = { audit: 6 * hourMs, backup: 26 * hourMs }

async function recordAudit(db: Database, doneAt: Date): Promise<void> {
  await db
    .insert(lastRuns)
    .values({ name: 'audit', doneAt })
    .onConflictDoUpdate({ target: lastRuns.name, set: { doneAt } })
}

/** Whether the last run failed, or was too long ago. */
export function isOverdue({ name, doneAt, failedAt }: LastRun, now: Date): boolean {
  if (doneAt === null) return true
  return (failedAt !== null && failedAt > doneAt) || now.getTime() - doneAt.getTime() > overdueMs[name]
}

/** When the job was last completed, as a text that is the same in all languages. */
export const completedAt = ({ doneAt }: Pick<LastRun, 'doneAt'>): string =>
  doneAt ? `${doneAt.toISOString().slice(0, 16)}Z` : '–'

// All checks, in the order in which they are made, with the text in the log; operators read alarms in their own language.

export interface Watched {
  readonly kind: string
  readonly check: Check
  readonly words: string
}

export const watched = [
  { kind: 'sales', check: salesCheck, words: 'sales are stopped' },
  { kind: 'failures', check: failuresCheck, words: 'many orders or answers of a model fail' },
  { kind: 'stuck', check: stuckCheck, words: 'orders are stuck' },
  { kind: 'undelivered', check: undeliveredCheck, words: 'results are not delivered' },
  { kind: 'updates', check: updatesCheck, words: 'updates wait to be handled' },
  { kind: 'set-aside', check: setAsideCheck, words: 'an update is set aside' },
  { kind: 'payments', check: paymentsCheck, words: 'a payment fits no top-up' },
  { kind: 'tax-receipts', check: taxReceiptsCheck, words: 'receipts of the self-employed fail' },
  { kind: 'debts', check: debtsCheck, words: 'a payment was refunded after its credit was spent' },
  { kind: 'reports', check: reportsCheck, words: 'a problem report waits for an operator' },
  { kind: 'token', check: tokenCheck, words: 'another installation uses the bot token' },
  { kind: 'audit', check: auditCheck, words: 'the audit has findings' },
  // After the audit, which is made at once after a time without a process.
  { kind: 'no-audit', check: overdueCheck('audit'), words: 'the audit is overdue' },
  { kind: 'no-backup', check: overdueCheck('backup'), words: 'the backup is overdue, or failed' },
] as const satisfies readonly Watched[]
