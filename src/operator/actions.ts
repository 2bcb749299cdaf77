// The log of operators' actions: who, what, on which subject, why. If an action is a statement, the same statement writes its row of the
// log.

import { desc, notInArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { installation, operatorActions, switches } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'

export interface OperatorDeps {
  readonly db: Database
  readonly clock: Clock
}

/** A Telegram id; null for the command line. */
export type Operator = number | null

const actionNames = [
  'grant',
  'debit',
  'refund',
  'refund-payment',
  'decline',
  'ban',
  'unban',
  'promo',
  'promo-end',
  'switch-off',
  'switch-on',
  'broadcast',
  'accept-transfers',
  'assign-payment',
  'change-bot',
  'view',
] as const

interface Action {
  readonly by: Operator
  readonly action: (typeof actionNames)[number]
  /** `user:17`, `generation:…`, `report:…`, `promo:…`, `switch:…`, `broadcast:…`. */
  readonly subject: string
  readonly reason?: string
  readonly details?: Readonly<Record<string, string | number>>
}

export const userSubject = (userId: bigint): string => `user:${userId}`

/** @param condition on the rest of the statement */
export function insertAction(one: Action, now: Date, condition: SQL = sql`true`): SQL {
  return sql`
    insert into ${operatorActions} (operator_id, action, subject, reason, details, created_at)
    select ${one.by}::bigint, ${one.action}::text, ${one.subject}::text, ${one.reason ?? null}::text,
      ${JSON.stringify(one.details ?? {})}::text::jsonb, ${timestamp(now)}
    where ${condition}
    returning id`
}

/** Logs an action that writes nothing else, such as viewing a user. */
export async function recordAction({ db, clock }: OperatorDeps, one: Action): Promise<void> {
  await db.execute(insertAction(one, clock.now()))
}

export type LoggedAction = typeof operatorActions.$inferSelect

/** The newest first, without views and without deletions, which name nobody. */
export function readLog({ db }: Pick<OperatorDeps, 'db'>, limit: number): Promise<LoggedAction[]> {
  return db
    .select()
    .from(operatorActions)
    .where(notInArray(operatorActions.action, ['view', 'forget']))
    .orderBy(desc(operatorActions.id))
    .limit(limit)
}

// Switches that stop sales: of everything (maintenance), or of one model. A row in the table means "off".

/** @returns false when nothing changes */
export async function setSwitch(
  { db, clock }: OperatorDeps,
  by: Operator,
  name: string,
  off: boolean,
): Promise<boolean> {
  const now = clock.now()
  const change = off
    ? sql`insert into ${switches} (name, since, operator_id) values (${name}, ${timestamp(now)}, ${by}::bigint)
        on conflict do nothing returning name`
    : sql`delete from ${switches} where name = ${name} returning name`
  const action = { by, action: off ? 'switch-off' : 'switch-on', subject: `switch:${name}` } as const
  const statement = sql`
    with changed as (${change}) ${insertAction(action, now, sql`exists (select from changed)`)}`
  const written = await rows(db, statement, z.object({ id: z.coerce.bigint() }))
  return written.length > 0
}

/** @returns false when the database belongs to this bot already */
export async function changeBot(
  { db, clock }: OperatorDeps,
  botId: number,
  reason: string,
): Promise<boolean> {
  const now = clock.now()
  const action = { by: null, action: 'change-bot', subject: `bot:${botId}`, reason } as const
  const statement = sql`
    with changed as (
      insert into ${installation} (id, bot_id, since) values (1, ${botId}, ${timestamp(now)})
      on conflict (id) do update set bot_id = excluded.bot_id, since = excluded.since
      where ${installation}.bot_id <> excluded.bot_id returning id
    ) ${insertAction(action, now, sql`exists (select from changed)`)}`
  return (await rows(db, statement, z.object({ id: z.coerce.bigint() }))).length > 0
}
