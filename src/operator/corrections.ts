// Corrections of a balance by an operator, with a reason. One statement writes the transfer, the row of the log and the
// notice for the user.

import type { Database } from '../db/client.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { correction } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { correctedNoticeKey } from '../payments/notice-keys.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { insertAction, type Operator, type OperatorDeps, userSubject } from './actions.ts'
import { findPerson } from './people.ts'

interface Correction {
  /** Idempotence key. */
  readonly key: string
  readonly by: Operator
  readonly userId: bigint
  /** A negative amount is taken. */
  readonly amount: Kopecks
  readonly reason: string
}

export type Corrected =
  | { readonly ok: true; readonly available: Kopecks }
  | { readonly ok: false; readonly reason: 'unknown-user' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly available: Kopecks }
  | { readonly ok: false; readonly reason: 'duplicate' }

export async function correct(deps: OperatorDeps, one: Correction): Promise<Corrected> {
  const { key, by, userId, amount, reason } = one
  if (!(await findPerson(deps.db, userId))) return { ok: false, reason: 'unknown-user' }
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
  const posted = await post(deps.db, [correction(key, userId, amount, reason)], now, action, [
    insertGuardedNotice(notice, now),
  ])
  const available = await availableOf(deps.db, userId)
  if (posted.ok) return { ok: true, available }
  if (posted.reason === 'insufficient') return { ok: false, reason: 'insufficient', available }
  return { ok: false, reason: 'duplicate' }
}

const availableOf = async (db: Database, userId: bigint) => (await readBalance(db, userId)).available
