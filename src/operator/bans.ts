// Bans. A banned user only gets an answer that says so, and keeps the balance; their wallets of groups are switched off. The end of a ban
// is told to the user by a notice.

import { sql } from 'drizzle-orm'
import { accounts, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { changeAndLog, type Operator, type OperatorDeps, userSubject } from './actions.ts'

interface Ban {
  readonly by: Operator
  readonly userId: bigint
  readonly banned: boolean
  readonly reason: string
}

/**
 * A ban also switches off the user's wallets, so that no member of a group spends money of a banned user. The end of a ban does not switch
 * them on: the owner does. A wallet that is switched on at the moment of the ban pays nothing during it (`hasFreeOwner` in
 * ledger/wallets.ts).
 * @returns false when nothing changes
 */
export function setBan(deps: OperatorDeps, { by, userId, banned, reason }: Ban): Promise<boolean> {
  const now = deps.clock.now()
  const notice = { kind: 'unbanned', event: `${userId}:${now.getTime()}`, userId, amount: 0n } as const
  const change = sql`
    update ${users} set banned_at = ${timestamp(banned ? now : null)}
    where id = ${userId}::bigint and (banned_at is null) = ${banned} returning id`
  const also = banned
    ? sql`, closed as (
        update ${accounts} set is_on = false from guard where kind = 'group' and is_on and owner_id = guard.id)`
    : sql`, told as (${insertGuardedNotice(notice, now)})`
  const action = { by, action: banned ? 'ban' : 'unban', subject: userSubject(userId), reason } as const
  return changeAndLog(deps, action, change, also)
}
