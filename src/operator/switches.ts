// Switches that stop sales: of everything (maintenance), or of one model. A row in the table means "off".

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { switches } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

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
