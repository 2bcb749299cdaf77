// Broadcasts: rows created as a preview, started, paused and stopped by operators, and sent to one user after the other. The cursor, which
// only the holder of the lease moves, is written after each user, so a crash repeats at most one message.

import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import { audiences, broadcasts, drafts, generations, payments, turns, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { type Claim, createQueueWorker } from '../runtime/queue-worker.ts'
import type { Locale } from '../texts.ts'
import { localeFrom } from '../users/user.ts'
import { changeAndLog, type Operator, type OperatorDeps } from './actions.ts'

export { audiences }
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
export function stepBroadcast(deps: OperatorDeps, by: Operator, id: string, step: Step): Promise<boolean> {
  const { from, to } = steps[step]
  const change = sql`
    update ${broadcasts} set state = ${to}, done_at = ${timestamp(to === 'stopped' ? deps.clock.now() : null)}
    where id = ${id} and ${inArray(broadcasts.state, [...from])} returning id`
  return changeAndLog(
    deps,
    { by, action: 'broadcast', subject: `broadcast:${id}`, details: { step } },
    change,
  )
}

export async function findBroadcast(db: Database, id: string): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(eq(broadcasts.id, id))
  return found
}

/** How long a quiet user has done nothing. */
const quietMs = 14 * dayMs

/** The condition on users who belong to an audience. Whoever has changed a card or asked something is not quiet. */
function isIn(audience: Broadcast['audience'], now: Date): SQL | undefined {
  const quietSince = timestamp(now, -quietMs)
  const exists = (table: SQL) => sql`exists (select from ${table} where user_id = ${users.id})`
  switch (audience) {
    case 'payers':
      return exists(sql`${payments}`)
    case 'newcomers':
      return sql`not ${exists(sql`${generations}`)} and not ${exists(sql`${turns}`)}`
    case 'quiet':
      return sql`${users.createdAt} < ${quietSince}
        and not exists (select from ${drafts} where user_id = ${users.id} and updated_at >= ${quietSince})
        and not exists (select from ${turns} where user_id = ${users.id} and created_at >= ${quietSince})`
    default:
      return undefined
  }
}

type To = Pick<Broadcast, 'lastUserId' | 'audience'>

const reachable = ({ lastUserId, audience }: To, now: Date): SQL | undefined =>
  and(
    gt(users.id, lastUserId),
    isNotNull(users.telegramId),
    isNull(users.bannedAt),
    isNull(users.forgottenAt),
    isNull(users.newsOffAt),
    isIn(audience, now),
  )

interface Recipient {
  readonly userId: bigint
  readonly telegramId: number
  readonly locale: Locale
}

async function nextRecipients({ db, clock }: OperatorDeps, to: To, limit: number): Promise<Recipient[]> {
  const found = await db
    .select()
    .from(users)
    .where(reachable(to, clock.now()))
    .orderBy(asc(users.id))
    .limit(limit)
  return found.flatMap((one) =>
    one.telegramId === null ? [] : { userId: one.id, telegramId: one.telegramId, locale: localeFrom(one) },
  )
}

export const countRecipients = ({ db, clock }: OperatorDeps, to: To): Promise<number> =>
  db.$count(users, reachable(to, clock.now()))

/** @returns false when the broadcast has begun */
export async function setAudience(
  { db }: Pick<OperatorDeps, 'db'>,
  id: string,
  audience: Broadcast['audience'],
): Promise<boolean> {
  const isDraft = and(eq(broadcasts.id, id), eq(broadcasts.state, 'draft'))
  return (await db.update(broadcasts).set({ audience }).where(isDraft).returning()).length > 0
}

const isRunning = eq(broadcasts.state, running)

/** Reads a held row again; undefined when the lease was lost. */
async function rereadHeld(db: Database, held: Broadcast): Promise<Broadcast | undefined> {
  const [found] = await db.select().from(broadcasts).where(isHeld(broadcasts, held))
  return found
}

/** Moves the cursor past one user; undefined when the lease was lost. */
async function moveCursor(
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

// Sending.

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
const batchSize = 100
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
          .set(claimed(broadcasts, claim))
          .where(isClaimable(broadcasts, { due: isRunning, order: broadcasts.createdAt }, claim))
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
  while (held && held.state === 'running' && !stopping.aborted) {
    const recipients = await nextRecipients(deps, held, batchSize)
    if (recipients.length === 0) return end(deps, held, 'done')
    held = await sendBatch(deps, held, recipients, stopping)
  }
  if (held) await releaseBroadcast(deps, held)
}

/** @returns the row after the batch; undefined when this process no longer holds it */
async function sendBatch(
  deps: BroadcastDeps,
  claimed: Broadcast,
  recipients: readonly Recipient[],
  stopping: AbortSignal,
): Promise<Broadcast | undefined> {
  let held: Broadcast | undefined = claimed
  for (const recipient of recipients) {
    if (held?.state !== 'running' || stopping.aborted) return held
    const startedAt = deps.clock.now().getTime()
    const copied = await copyOne(deps, held, recipient, stopping)
    if (typeof copied !== 'string') return copied
    if (copied === 'no-source') return void (await end(deps, held, 'stopped'))
    held = await moveCursor(deps.db, held, recipient.userId, copied === 'sent' ? 'sent' : 'failed')
    const spentMs = deps.clock.now().getTime() - startedAt
    if (spentMs < paceMs) await deps.clock.wait(paceMs - spentMs, stopping)
  }
  return held
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
}
