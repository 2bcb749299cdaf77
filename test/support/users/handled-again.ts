// Makes the app handle an update again, as after the death of a process that had not yet marked the update as handled.

import { eq } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { expect } from 'vitest'
import { updates } from '../../../src/db/schema.ts'
import type { TestSandbox } from './sandbox.ts'

/** Waits until the newest message of a person is handled, and puts it back into the inbox. */
export async function handleLastAgain(sandbox: TestSandbox, telegramId: number): Promise<void> {
  const { db } = sandbox.app
  const recent = await sandbox.get<{ update: Update }[]>('/api/updates')
  const { update } = recent.findLast(({ update: { message } }) => message?.from?.id === telegramId) ?? {}
  const ofLast = eq(updates.id, update?.update_id ?? 0)
  await expect.poll(async () => (await db.select().from(updates).where(ofLast))[0]?.doneAt).toBeTruthy()
  await db
    .update(updates)
    .set({ body: JSON.stringify(update), doneAt: null })
    .where(ofLast)
}
