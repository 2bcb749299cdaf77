// Broadcasts: rows created as a preview, scheduled, started, paused and stopped by operators, and sent to one user after the other. The
// cursor, which only the holder of the lease moves, is written after each user, so a crash repeats at most one message.

import { and, desc, eq, gt, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import { audiences, broadcastRecipients, broadcasts, generations, turns, users } from '../db/schema.ts'
import { bigint, readRows, timestamp } from '../db/sql.ts'
import { dayAfter, dayMs, localDay, momentOf } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { type Claim, createQueueWorker } from '../runtime/queue-worker.ts'
import { changeAndLog, type Operator, type OperatorDeps } from './actions.ts'
import { nextRecipient, type Recipient } from './audience.ts'

export { audiences }
export type Broadcast = typeof broadcasts.$inferSelect
type Step = keyof typeof steps

const running = 'running' satisfies Broadcast['state']

interface Source {
  readonly chatId: number
  readonly messageId: number
}

export async function createBroadcast(
  { db, clock, ids }: OperatorDeps & { readonly ids: Ids },
  source: Source,
): Promise<Broadcast> {
  const row = { id: ids.next(), ...source, state: 'draft', createdAt: clock.now() } as const
  const [created] = await db.insert(broadcasts).values(row).returning()
  if (!created) throw new Error('an insert returns its row')
  return created
}

/** The states that a step starts from, and the one that it leads to. A draft with a time is scheduled, while that time is to come. */
const steps = {
  start: { from: ['draft', 'paused'], to: running },
  pause: { from: [running], to: 'paused' },
  edit: { from: ['scheduled'], to: 'draft' },
  stop: { from: ['draft', 'scheduled', running, 'paused'], to: 'stopped' },
} as const

/** @returns false when the state does not allow the step, or the time of a draft has passed */
export function stepBroadcast(deps: OperatorDeps, by: Operator, id: string, step: Step): Promise<boolean> {
  const { from, to } = steps[step]
  const now = timestamp(deps.clock.now())
  const change = sql`
    update ${broadcasts} set
      state = case when ${to === running} and state = 'draft' and start_at is not null then 'scheduled' else ${to} end,
      done_at = case when ${to === 'stopped'} then ${now} end
    where id = ${id} and ${inArray(broadcasts.state, [...from])}
      and (${to !== running} or state = 'paused' or start_at is null or start_at > ${now})
    returning id`
  const done = { by, action: 'broadcast', subject: `broadcast:${id}`, details: { step } } as const
  return changeAndLog(deps, done, change)
}

export async function findBroadcast(db: Database, id: string): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(eq(broadcasts.id, id))
  return found
}

/** The newest of those that have not ended, or ended so lately that people still react to them. */
export function recentBroadcasts({ db, clock }: OperatorDeps, limit: number): Promise<Broadcast[]> {
  const { state, startedAt, doneAt, createdAt } = broadcasts
  const endedLately = and(isNotNull(startedAt), gt(doneAt, new Date(clock.now().getTime() - 2 * dayMs)))
  const where = or(inArray(state, ['scheduled', running, 'paused']), endedLately)
  return db.select().from(broadcasts).where(where).orderBy(desc(createdAt)).limit(limit)
}

type Setting = 'audience' | 'quietDays' | 'language' | 'source' | 'button' | 'startAt'
export type Settings = Partial<Pick<Broadcast, Setting>>

/** @returns undefined when the broadcast is no draft any more */
export async function setBroadcast(
  { db }: Pick<OperatorDeps, 'db'>,
  id: string,
  to: Settings,
): Promise<Broadcast | undefined> {
  const isDraft = and(eq(broadcasts.id, id), eq(broadcasts.state, 'draft'))
  const [changed] = await db.update(broadcasts).set(to).where(isDraft).returning()
  return changed
}

// The time of the start, as an operator writes it.

/** Half a year: a day without a year is the next one with this date. */
const maxAheadMs = 182 * dayMs

/**
 * Reads `2026-12-01 15:00`, `01.12.2026 15:00`, `1.12 15:00`, or `15:00` for the next time that clocks show it.
 * @returns undefined when it is no time; `outside` when it has passed, or is more than half a year away
 */
export function readStart(typed: string, now: Date, zone: string): Date | 'outside' | undefined {
  const [, date = '', hour = '', minute] =
    /^(?:([\d.-]+),?\s+)?(\d|[01]\d|2[0-3]):([0-5]\d)$/.exec(typed.trim()) ?? []
  if (minute === undefined) return undefined
  const days = daysOf(date, localDay(now, zone)).filter((day) => z.iso.date().safeParse(day).success)
  if (days.length === 0) return undefined
  const moments = days.map((day) => momentOf(`${day}T${hour.padStart(2, '0')}:${minute}`, zone))
  const aheadMs = (moment: Date) => moment.getTime() - now.getTime()
  return moments.find((moment) => aheadMs(moment) > 0 && aheadMs(moment) <= maxAheadMs) ?? 'outside'
}

/** The days that a date can mean, or no date. */
function daysOf(date: string, today: string): readonly string[] {
  if (date === '') return [today, dayAfter(today, 1)]
  const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?$/.exec(date) ?? []
  if (day === '') return [date]
  const present = Number(today.slice(0, 4))
  const years = year ? [year] : [present, present + 1]
  return years.map((one) => `${one}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

const count = z.coerce.number()
/** `orders` are charged orders and answers, and `people` those who ordered. */
const reaction = z.object({ switchedOff: count, orders: count, people: count })

/** What the recipients did within a day after they got the broadcast, whether because of it or not. */
export function readReaction(db: Database, id: string) {
  const isSoon = (time: SQL) => sql`${time} >= r.sent_at and ${time} < r.sent_at + interval '1 day'`
  const ordered = (table: typeof generations | typeof turns) => sql`(
    select count(*) from ${table} where user_id = r.user_id and captured > 0 and ${isSoon(sql`created_at`)})`
  const asked = sql`
    select count(*) filter (where ${isSoon(sql`u.news_off_at`)}) as "switchedOff",
      coalesce(sum(o.orders), 0) as orders, count(*) filter (where o.orders > 0) as people
    from ${broadcastRecipients} r join ${users} u on u.id = r.user_id
      cross join lateral (select ${ordered(generations)} + ${ordered(turns)} as orders) o
    where r.broadcast_id = ${id}`
  return oneRow(db, asked, reaction)
}

// Sending.

const isRunning = eq(broadcasts.state, running)
const isDue = ({ now }: Claim) =>
  or(isRunning, and(eq(broadcasts.state, 'scheduled'), lte(broadcasts.startAt, now)))
/** Reads a held row again; undefined when the lease was lost. */
async function rereadHeld(db: Database, held: Broadcast): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(isHeld(broadcasts, held))
  return found
}

/** Moves the cursor past one user; undefined when the lease was lost. */
async function moveCursor(
  { db, clock }: OperatorDeps,
  held: Broadcast,
  userId: bigint,
  outcome: 'sent' | 'failed',
): Promise<Broadcast | undefined> {
  const column = sql.identifier(outcome)
  const [moved] = await readRows(
    db,
    broadcasts,
    sql`with moved as (
        update ${broadcasts} set last_user_id = ${bigint(userId)}, ${column} = ${column} + 1
        where ${isHeld(broadcasts, held)} returning *
      ), got as (
        insert into ${broadcastRecipients} (broadcast_id, user_id, sent_at)
        select id, last_user_id, ${timestamp(clock.now())} from moved where ${outcome === 'sent'}
      )
      select * from moved`,
  )
  return moved
}

/** @param state the state in which the broadcast ends. @returns undefined when the broadcast is no longer running */
async function releaseBroadcast(
  { db, clock }: OperatorDeps,
  held: Broadcast,
  state?: 'done' | 'stopped',
): Promise<Broadcast | undefined> {
  const ended = state ? { state, doneAt: clock.now() } : {}
  const [changed] = await db
    .update(broadcasts)
    .set({ ...released, ...ended })
    .where(and(isHeld(broadcasts, held), state ? isRunning : undefined))
    .returning()
  return changed
}

/** The outcome of one copy. */
export type Copied =
  | 'sent'
  /** The user blocked the bot, or their account is gone. */
  | 'unreachable'
  /** The message to copy is gone or cannot be copied. */
  | 'no-source'
  | { readonly again: 'later'; readonly afterMs?: number }

interface BroadcastDeps extends OperatorDeps {
  readonly ids: Ids
  readonly log: Log
  copy(broadcast: Broadcast, to: Pick<Recipient, 'telegramId' | 'locale'>): Promise<Copied>
  /** Called when the broadcast is done, or was stopped because its message is gone. */
  ended(broadcast: Broadcast): Promise<void>
}

/** About 25 messages a second; Telegram allows 30. */
const paceMs = 40
/** The pauses between attempts while Telegram or the network fails. */
const pausesMs = [1000, 5000, 15_000, 30_000]

/** Any number of processes may run it. One that is stopped finishes the message being sent. */
export function createBroadcaster(deps: BroadcastDeps): Loop {
  const stopping = new AbortController()
  const worker = createQueueWorker<Broadcast>(
    deps,
    {
      ...leasesOf<Broadcast>(deps.db, broadcasts, isRunning),
      claim: (claim: Claim) =>
        deps.db
          .update(broadcasts)
          .set({
            ...claimed(broadcasts, claim),
            state: running,
            startedAt: sql`coalesce(${broadcasts.startedAt}, ${timestamp(claim.now)})`,
          })
          .where(isClaimable(broadcasts, { due: isDue(claim), order: broadcasts.createdAt }, claim))
          .returning(),
      work: (row) => send(deps, row, stopping.signal),
    },
    { slots: 1, failed: 'broadcast interrupted' },
  )
  return {
    ...worker,
    stop() {
      stopping.abort('stopped')
      return worker.stop()
    },
  }
}

async function send(deps: BroadcastDeps, claimed: Broadcast, stopping: AbortSignal): Promise<void> {
  let held: Broadcast | undefined = claimed
  while (held?.state === 'running' && !stopping.aborted) {
    const recipient = await nextRecipient(deps, held)
    if (!recipient) return end(deps, held, 'done')
    const startedAt = deps.clock.now().getTime()
    const copied = await copyOne(deps, held, recipient, stopping)
    if (copied === 'no-source') return end(deps, held, 'stopped')
    held =
      typeof copied === 'string'
        ? await moveCursor(deps, held, recipient.userId, copied === 'sent' ? 'sent' : 'failed')
        : copied
    const spentMs = deps.clock.now().getTime() - startedAt
    if (spentMs < paceMs) await deps.clock.wait(paceMs - spentMs, stopping)
  }
  if (held) await releaseBroadcast(deps, held)
}

/** Repeats the copy until it has an outcome. Returns the row when the broadcast must not go on, undefined when its lease was lost. */
async function copyOne(
  deps: BroadcastDeps,
  held: Broadcast,
  to: Recipient,
  stopping: AbortSignal,
): Promise<Exclude<Copied, object> | Broadcast | undefined> {
  for (let tries = 0; ; tries += 1) {
    const copied = await deps.copy(held, to)
    if (typeof copied === 'string') return copied
    const pauseMs = copied.afterMs ?? pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0
    await deps.clock.wait(pauseMs, stopping)
    const current = await rereadHeld(deps.db, held)
    if (current?.state !== 'running' || stopping.aborted) return current
  }
}

async function end(deps: BroadcastDeps, held: Broadcast, state: 'done' | 'stopped'): Promise<void> {
  const ended = await releaseBroadcast(deps, held, state)
  // An operator has paused the broadcast in the meantime.
  if (!ended) return void (await releaseBroadcast(deps, held))
  const { id, sent, failed } = ended
  deps.log.info({ broadcast: id, state, sent, failed }, 'broadcast ended')
  await deps.ended(ended)
  await deleteOldRecipients(deps)
}

/** Results of broadcasts are shown for two days. */
const recipientsKeptMs = 30 * dayMs

async function deleteOldRecipients({ db, clock }: OperatorDeps): Promise<void> {
  const endedBefore = new Date(clock.now().getTime() - recipientsKeptMs)
  const old = db.select({ id: broadcasts.id }).from(broadcasts).where(lt(broadcasts.doneAt, endedBefore))
  await db.delete(broadcastRecipients).where(inArray(broadcastRecipients.broadcastId, old))
}
