// Corrections of the books by an operator, with a reason: of a balance, and of the checksums of transfers. One statement makes the change
// and writes the row of the log; for a balance also the notice for the user.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { acceptTransfers } from '../ledger/checksum.ts'
import { isGuarded, post } from '../ledger/ledger.ts'
import { correction } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { insertAction, type Operator, type OperatorDeps, userSubject } from './actions.ts'
import { findPerson } from './people.ts'

interface Correction {
  /** Names the operator's command, which is carried out once. */
  readonly key: string
  readonly by: Operator
  readonly userId: bigint
  /** A negative amount is taken. */
  readonly amount: Kopecks
  readonly reason: string
}

/**
 * `before`: this very command was carried out earlier, as when the database committed it and the answer was lost. The balance is not read
 * here: a failure of that statement would hide that the money was moved.
 */
type Corrected = 'done' | 'before' | 'insufficient' | 'unknown-user'

export async function correct(deps: OperatorDeps, one: Correction): Promise<Corrected> {
  const { key, by, userId, amount, reason } = one
  if (!(await findPerson(deps.db, userId))) return 'unknown-user'
  const now = deps.clock.now()
  const action = insertAction(
    {
      by,
      action: amount > 0n ? 'grant' : 'debit',
      subject: userSubject(userId),
      reason,
      details: { key, amount: amount.toString() },
    },
    now,
  )
  const notice = { kind: 'corrected', event: key, userId, amount } as const
  const posted = await post(deps.db, correction(key, userId, amount, reason), now, action, [
    insertGuardedNotice(notice, now),
  ])
  if (posted.ok) return 'done'
  return posted.reason === 'insufficient' ? 'insufficient' : 'before'
}

/**
 * Accepts the present transfers of all users: after an upgrade during which processes of a version without checksums still wrote transfers,
 * or after a deliberate repair of the database.
 * @returns the number of users with transfers that the ledger had not written
 */
export async function acceptAllTransfers({ db, clock }: OperatorDeps, reason: string): Promise<number> {
  const action = { by: null, action: 'accept-transfers', subject: 'transfers', reason } as const
  const accept = sql`
    with guard as (${acceptTransfers}), logged as (${insertAction(action, clock.now(), isGuarded)})
    select user_id from guard`
  return (await rows(db, accept, z.object({ user_id: z.string() }))).length
}
