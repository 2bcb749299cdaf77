// The log of operators' actions: who, what, on which subject, why. If an action is a statement, the same statement writes its row of the
// log.

import { desc, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { operatorActions } from '../db/schema.ts'
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
