// Partners: users to whom an operator gives percents of their own for the top-ups of the people they invite.

import { sql } from 'drizzle-orm'
import { users } from '../db/schema.ts'
import { bigint, integer } from '../db/sql.ts'
import { changeAndLog, type Operator, type OperatorDeps, userSubject } from './actions.ts'

interface Partner {
  readonly by: Operator
  readonly userId: bigint
  /** Null for REFERRAL_PERCENT, as everybody else. */
  readonly percent: number | null
  readonly reason: string
}

/** @returns false when nothing changes */
export const setPartner = (deps: OperatorDeps, { by, userId, percent, reason }: Partner): Promise<boolean> =>
  changeAndLog(
    deps,
    { by, action: 'partner', subject: userSubject(userId), reason, details: { percent: percent ?? 'usual' } },
    sql`update ${users} set partner_percent = ${integer(percent)}
      where id = ${bigint(userId)} and forgotten_at is null and partner_percent is distinct from ${integer(percent)} returning id`,
  )
