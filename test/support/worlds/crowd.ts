// Thousands of running tasks, inserted directly into the table. They have no money rows, so the audit does not apply to them.

import { sql } from 'drizzle-orm'
import { type GenerationWorld, userWith } from './generations.ts'

/**
 * Inserts running generations that were submitted now. They are due one millisecond apart, the last one now; their ids end in their
 * numbers.
 */
export async function crowd(world: GenerationWorld, count: number): Promise<void> {
  const { db, clock } = world.deps
  const user = await userWith(world, 0n)
  const now = sql`${clock.now()}::timestamptz`
  const numbers = sql`generate_series(1, ${count}::integer) n`
  const request = JSON.stringify({ model: 'video', positivePrompt: 'a cat '.repeat(80) })
  await db.execute(sql`
    insert into drafts (id, user_id, chat_id, model_id, answers, state, created_at, updated_at)
    select 'crowd-d-' || n, ${user.id}::bigint, 1, 'MODEL-VIDEO-REEL', '{}', 'ordered', ${now}, ${now} from ${numbers}`)
  await db.execute(sql`
    insert into quotes (id, draft_id, revision, user_id, model_id, request, amount, gateway_cost, parts, created_at, expires_at)
    select 'crowd-q-' || n, 'crowd-d-' || n, 1, ${user.id}::bigint, 'MODEL-VIDEO-REEL', '{}', 100, 50, '{}', ${now}, ${now}
    from ${numbers}`)
  await db.execute(sql`
    insert into generations (id, quote_id, draft_id, user_id, chat_id, model_id, request, amount, state, task_id, callback_token,
      next_check_at, created_at, submitted_at)
    select 'crowd-' || n, 'crowd-q-' || n, 'crowd-d-' || n, ${user.id}::bigint, 1, 'MODEL-VIDEO-REEL', ${request}::jsonb, 100,
      'running', 'task-' || n, 'token-' || n, ${now} - (${count}::integer - n) * interval '1 millisecond', ${now}, ${now}
    from ${numbers}`)
  await db.execute(sql`analyze generations`)
}
