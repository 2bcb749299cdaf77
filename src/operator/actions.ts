// The log of operators' actions: who, what, on which subject, why. The statement that makes a change writes its row of the log.

import { desc, notInArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type DbDeps, rows } from '../db/client.ts'
import { installation, operatorActions, switches } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isGuarded } from '../ledger/ledger.ts'

export type OperatorDeps = DbDeps

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
  'letter',
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

/**
 * Makes a change and logs it in one statement.
 * @param change an `insert`, `update` or `delete … returning`
 * @param also further parts of the statement, each with the condition `isGuarded`
 * @returns whether the change returned a row
 */
export async function changeAndLog(
  { db, clock }: OperatorDeps,
  one: Action,
  change: SQL,
  also: SQL = sql``,
): Promise<boolean> {
  const logged = insertAction(one, clock.now(), isGuarded)
  const written = await rows(
    db,
    sql`with guard as (${change})${also} ${logged}`,
    z.object({ id: z.coerce.bigint() }),
  )
  return written.length > 0
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
export function setSwitch(deps: OperatorDeps, by: Operator, name: string, off: boolean): Promise<boolean> {
  const since = timestamp(deps.clock.now())
  const change = off
    ? sql`insert into ${switches} (name, since, operator_id) values (${name}, ${since}, ${by}::bigint)
        on conflict do nothing returning name`
    : sql`delete from ${switches} where name = ${name} returning name`
  return changeAndLog(
    deps,
    { by, action: off ? 'switch-off' : 'switch-on', subject: `switch:${name}` },
    change,
  )
}

/** @returns false when the database belongs to this bot already */
export const changeBot = (deps: OperatorDeps, botId: number, reason: string): Promise<boolean> =>
  changeAndLog(
    deps,
    { by: null, action: 'change-bot', subject: `bot:${botId}`, reason },
    sql`insert into ${installation} (id, bot_id, since) values (1, ${botId}, ${timestamp(deps.clock.now())})
      on conflict (id) do update set bot_id = excluded.bot_id, since = excluded.since
      where ${installation}.bot_id <> excluded.bot_id returning id`,
  )
