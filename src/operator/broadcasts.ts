// Rows of broadcasts: made as a preview, started, paused, stopped; who still gets the message; and the cursor, which only
// the holder of the lease may move.

import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { broadcasts, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Ids } from '../runtime/ids.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

export type Broadcast = typeof broadcasts.$inferSelect
export type Step = 'start' | 'pause' | 'stop'

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

/** From which states a step leads where. */
const steps = {
  start: { from: ['draft', 'paused'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  stop: { from: ['draft', 'running', 'paused'], to: 'stopped' },
} as const

/** @returns false when its state does not allow that */
export async function stepBroadcast(
  { db, clock }: OperatorDeps,
  by: Operator,
  id: string,
  step: Step,
): Promise<boolean> {
  const now = clock.now()
  const { from, to } = steps[step]
  const states = sql.join(
    from.map((state) => sql`${state}`),
    sql`, `,
  )
  const doneAt = to === 'stopped' ? timestamp(now) : sql`null`
  const action = { by, action: 'broadcast', subject: `broadcast:${id}`, details: { step } } as const
  const statement = sql`
    with changed as (
      update ${broadcasts} set state = ${to}, done_at = ${doneAt}
      where id = ${id} and state in (${states}) returning id
    )
    ${insertAction(action, now, sql`exists (select from changed)`)}`
  const written = await rows(db, statement, z.object({ id: z.coerce.bigint() }))
  return written.length > 0
}

export async function findBroadcast(db: Database, id: string): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(eq(broadcasts.id, id))
  return found
}

const reachable = (after: bigint): SQL | undefined =>
  and(gt(users.id, after), isNotNull(users.telegramId), isNull(users.bannedAt), isNull(users.forgottenAt))

export interface Recipient {
  readonly userId: bigint
  readonly telegramId: number
}

export async function nextRecipients(db: Database, after: bigint, limit: number): Promise<Recipient[]> {
  const found = await db
    .select({ userId: users.id, telegramId: users.telegramId })
    .from(users)
    .where(reachable(after))
    .orderBy(asc(users.id))
    .limit(limit)
  return found.flatMap(({ userId, telegramId }) => (telegramId === null ? [] : { userId, telegramId }))
}

export const countRecipients = (db: Database, { lastUserId }: Broadcast): Promise<number> =>
  db.$count(users, reachable(lastUserId))

const leaseMs = 60_000
const until = (now: Date, ms = 0) => timestamp(now, leaseMs + ms)

/** A running one that nobody is at work on. */
export async function claimBroadcast({
  db,
  clock,
  ids,
}: OperatorDeps & { readonly ids: Ids }): Promise<Broadcast | undefined> {
  const now = clock.now()
  const lease = ids.next()
  const claim = sql`
    update ${broadcasts} set lease = ${lease}, lease_until = ${until(now)}
    where id in (
      select id from ${broadcasts}
      where state = 'running' and (lease_until is null or lease_until <= ${timestamp(now)})
      order by created_at limit 1 for update skip locked
    )
    returning id`
  const [claimed] = await rows(db, claim, z.object({ id: z.string() }))
  if (!claimed) return undefined
  const [found] = await db.select().from(broadcasts).where(eq(broadcasts.lease, lease))
  return found
}

const ours = ({ id, lease }: Broadcast) => and(eq(broadcasts.id, id), sql`${broadcasts.lease} = ${lease}`)

/** The cursor after one user; undefined when the lease was lost. */
export async function moveOn(
  { db, clock }: OperatorDeps,
  held: Broadcast,
  userId: bigint,
  outcome: 'sent' | 'failed',
): Promise<Broadcast | undefined> {
  const counted =
    outcome === 'sent' ? { sent: sql`${broadcasts.sent} + 1` } : { failed: sql`${broadcasts.failed} + 1` }
  const [moved] = await db
    .update(broadcasts)
    .set({ lastUserId: userId, leaseUntil: until(clock.now()), ...counted })
    .where(ours(held))
    .returning()
  return moved
}

/** Keeps the lease over a pause; undefined when it was lost. */
export async function keep(
  { db, clock }: OperatorDeps,
  held: Broadcast,
  pauseMs: number,
): Promise<Broadcast | undefined> {
  const [kept] = await db
    .update(broadcasts)
    .set({ leaseUntil: until(clock.now(), pauseMs) })
    .where(ours(held))
    .returning()
  return kept
}

/** Hands the lease back; `state` ends a broadcast that still runs. */
export async function handBack(
  { db, clock }: OperatorDeps,
  held: Broadcast,
  state?: 'done' | 'stopped',
): Promise<Broadcast | undefined> {
  const ended = state ? { state, doneAt: clock.now() } : {}
  const [back] = await db
    .update(broadcasts)
    .set({ lease: null, leaseUntil: null, ...ended })
    .where(and(ours(held), state ? eq(broadcasts.state, 'running') : undefined))
    .returning()
  return back
}
