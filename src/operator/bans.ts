// Bans. A banned user only gets an answer that says so, and keeps the balance; their wallets of groups are switched off. The end of a ban
// is told to the user by a notice.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { accounts, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isGuarded } from '../ledger/ledger.ts'
import { unbannedNoticeKey } from '../payments/notice-keys.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { insertAction, type Operator, type OperatorDeps, userSubject } from './actions.ts'

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
export async function setBan({ db, clock }: OperatorDeps, ban: Ban): Promise<boolean> {
  const { by, userId, banned, reason } = ban
  const now = clock.now()
  const action = { by, action: banned ? 'ban' : 'unban', subject: userSubject(userId), reason } as const
  const key = unbannedNoticeKey(userId, now)
  const notice = { key, kind: 'unbanned', userId, chatId: null, amount: 0n } as const
  const statement = sql`
    with guard as (
      update ${users} set banned_at = ${timestamp(banned ? now : null)}
      where id = ${userId}::bigint and (banned_at is null) = ${banned}
      returning id
    ),
    closed as (
      update ${accounts} set is_on = false from guard where ${banned} and kind = 'group' and is_on and owner_id = guard.id
    )${banned ? sql`` : sql`, told as (${insertGuardedNotice(notice, now)})`}
    ${insertAction(action, now, isGuarded)}`
  const written = await rows(db, statement, z.object({ id: z.coerce.bigint() }))
  return written.length > 0
}
