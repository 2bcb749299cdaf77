// The broadcasts table: rows created as a preview, started, paused and stopped by operators; the users that are left; and the
// cursor, which only the holder of the lease moves.

import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import { broadcasts, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Claim } from '../runtime/queue-worker.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

export type Broadcast = typeof broadcasts.$inferSelect
type Step = 'start' | 'pause' | 'stop'

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

/** The states that a step starts from, and the one that it leads to. */
const steps = {
  start: { from: ['draft', 'paused'], to: running },
  pause: { from: [running], to: 'paused' },
  stop: { from: ['draft', running, 'paused'], to: 'stopped' },
} as const

/** @returns false when the state does not allow the step */
export async function stepBroadcast(
  { db, clock }: OperatorDeps,
  by: Operator,
  id: string,
  step: Step,
): Promise<boolean> {
  const now = clock.now()
  const { from, to } = steps[step]
  const doneAt = to === 'stopped' ? timestamp(now) : sql`null`
  const action = { by, action: 'broadcast', subject: `broadcast:${id}`, details: { step } } as const
  const statement = sql`
    with changed as (
      update ${broadcasts} set state = ${to}, done_at = ${doneAt}
      where id = ${id} and ${inArray(broadcasts.state, [...from])} returning id
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

const isRunning = eq(broadcasts.state, running)

/** Claims running broadcasts that no process is sending. */
export const claimBroadcasts = (db: Database, claim: Claim): Promise<Broadcast[]> =>
  db
    .update(broadcasts)
    .set(claimed(broadcasts, claim))
    .where(isClaimable(broadcasts, { due: isRunning, order: broadcasts.createdAt }, claim))
    .returning()

export const broadcastLeases = (db: Database) => leasesOf<Broadcast>(db, broadcasts, isRunning)

/** Reads a held row again; undefined when the lease was lost. */
export async function rereadHeld(db: Database, held: Broadcast): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(isHeld(broadcasts, held))
  return found
}

/** Moves the cursor past one user; undefined when the lease was lost. */
export async function moveCursor(
  db: Database,
  held: Broadcast,
  userId: bigint,
  outcome: 'sent' | 'failed',
): Promise<Broadcast | undefined> {
  const [moved] = await db
    .update(broadcasts)
    .set({ lastUserId: userId, [outcome]: sql`${broadcasts[outcome]} + 1` })
    .where(isHeld(broadcasts, held))
    .returning()
  return moved
}

/** @param state the state in which the broadcast ends. @returns undefined when the broadcast is no longer running */
export async function releaseBroadcast(
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
