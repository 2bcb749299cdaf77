// Waits until the app has handled an update, and makes it handle the update again, as after the death of a process that had not yet marked
// the update as handled.

import assert from 'node:assert/strict'
import { eq } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { expect } from 'vitest'
import { updates } from '../../../src/db/schema.ts'
import { lanesOf } from '../../../src/updates/inbox.ts'
import type { TestSandbox } from './sandbox.ts'

/** Waits until the newest of these updates is handled, and returns it. */
export async function isHandled(sandbox: TestSandbox, fits: (update: Update) => boolean): Promise<Update> {
  const { db } = sandbox.app
  const recent = await sandbox.get<{ update: Update }[]>('/api/updates')
  const { update } = recent.findLast((one) => fits(one.update)) ?? {}
  assert(update, 'there is no such update')
  const ofUpdate = eq(updates.id, update.update_id)
  await expect.poll(async () => (await db.select().from(updates).where(ofUpdate))[0]?.doneAt).toBeTruthy()
  return update
}

/** Waits until the newest message of a person is handled, puts it back into the inbox, and waits until it is handled again. */
export async function handleLastAgain(sandbox: TestSandbox, telegramId: number): Promise<void> {
  const update = await isHandled(sandbox, ({ message }) => message?.from?.id === telegramId)
  await sandbox.app.db
    .update(updates)
    .set({ body: JSON.stringify(update), ...lanesOf(update), doneAt: null })
    .where(eq(updates.id, update.update_id))
  await isHandled(sandbox, ({ update_id: id }) => id === update.update_id)
}
