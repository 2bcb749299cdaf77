// A callback carries no proof of origin: it only makes the tracker look now. Its address is unguessable and belongs to one
// generation, so for a lost submit it can still reveal the task.

import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows, violatedConstraint } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import type { GenerationDeps } from './generation.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'pollIntervalMs'>

/** @returns false when the token belongs to no generation */
export async function receiveCallback(deps: Deps, token: string, payload: unknown): Promise<boolean> {
  const taskId = reveals.safeParse(payload).data
  if (taskId) await revealTask(deps, token, taskId)
  const now = deps.clock.now()
  // However many arrive, one task is looked at no oftener than this.
  const gap = new Date(now.getTime() - deps.pollIntervalMs / 4)
  const woken = sql`
    update ${generations} set callback_at = ${now}::timestamptz, next_check_at = least(next_check_at,
      greatest(${now}::timestamptz, ${now}::timestamptz + (last_check_at - ${gap}::timestamptz)))
    where callback_token = ${token} and state = 'running'
    returning id`
  const found = await rows(deps.db, woken, z.object({ id: z.string() }))
  return found.length > 0 || (await isKnown(deps, token))
}

async function isKnown({ db }: Deps, token: string): Promise<boolean> {
  const found = await db
    .select({ id: generations.id })
    .from(generations)
    .where(eq(generations.callbackToken, token))
  return found.length > 0
}

/** The payload's shape is not documented; any of the usual names is taken, and the poll checks what it is. */
const reveals = z
  .object({ id: z.string(), task_id: z.string(), taskId: z.string() })
  .partial()
  .transform((body) => body.id ?? body.task_id ?? body.taskId)

const isUnanswered = inArray(generations.state, ['submitting', 'unknown'])

/** The answer to a submit was lost, and here is what it said; or it is about to be lost, and becomeUnknown will find this. */
export async function revealTask(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  token: string,
  taskId: string,
): Promise<void> {
  const revealed = await db
    .update(generations)
    .set({
      state: sql`case ${generations.state} when 'unknown' then 'running' else ${generations.state} end`,
      ...{ taskId, attempts: 0, nextCheckAt: clock.now() },
    })
    .where(and(eq(generations.callbackToken, token), isUnanswered, isNull(generations.taskId)))
    .returning({ id: generations.id })
    .catch((error: unknown) => {
      // Somebody else's task: whoever sent this knew our address, not our task.
      if (violatedConstraint(error) === 'generations_task_id_key') return []
      throw error
    })
  for (const { id } of revealed) log.info({ generation: id, task: taskId }, 'the task was revealed')
}
