// Accepts the present transfers of all users: after an upgrade during which processes of a version without checksums still wrote
// transfers, or after a deliberate repair of the database.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { acceptTransfers } from '../ledger/checksum.ts'
import { insertAction, type OperatorDeps } from './actions.ts'

/** @returns the number of users with transfers that the ledger had not written */
export async function acceptAllTransfers({ db, clock }: OperatorDeps, reason: string): Promise<number> {
  const action = { by: null, action: 'accept-transfers', subject: 'transfers', reason } as const
  const accept = sql`
    with changed as (${acceptTransfers}),
      logged as (${insertAction(action, clock.now(), sql`exists (select from changed)`)})
    select user_id from changed`
  return (await rows(db, accept, z.object({ user_id: z.string() }))).length
}
