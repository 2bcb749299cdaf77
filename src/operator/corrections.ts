// Corrections of a balance by an operator, with a reason. One statement writes the transfer, the row of the log and the
// notice for the user.

import { post } from '../ledger/ledger.ts'
import { correction } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { correctedNoticeKey } from '../payments/notice-keys.ts'
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
  const notice = { key: correctedNoticeKey(key), kind: 'corrected', userId, chatId: null, amount } as const
  const posted = await post(deps.db, correction(key, userId, amount, reason), now, action, [
    insertGuardedNotice(notice, now),
  ])
  if (posted.ok) return 'done'
  return posted.reason === 'insufficient' ? 'insufficient' : 'before'
}
