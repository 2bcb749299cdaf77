// Gives the database to another bot, deliberately.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { installation } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { insertAction, type OperatorDeps } from './actions.ts'

/** @returns false when the database belongs to this bot already */
export async function changeBot(
  { db, clock }: OperatorDeps,
  botId: number,
  reason: string,
): Promise<boolean> {
  const now = clock.now()
  const action = { by: null, action: 'change-bot', subject: `bot:${botId}`, reason } as const
  const statement = sql`
    with changed as (
      insert into ${installation} (id, bot_id, since) values (1, ${botId}, ${timestamp(now)})
      on conflict (id) do update set bot_id = excluded.bot_id, since = excluded.since
      where ${installation}.bot_id <> excluded.bot_id returning id
    ) ${insertAction(action, now, sql`exists (select from changed)`)}`
  return (await rows(db, statement, z.object({ id: z.coerce.bigint() }))).length > 0
}
