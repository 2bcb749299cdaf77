// An edit of one part of a long text that the Telegram client has split into several messages.

import { eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns, updates } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

const long = (sentence: string) => sentence.repeat(400).slice(0, 4096)

it('an edited part of a split question is not asked alone, and the user is told to send the whole text', async () => {
  const anna = await sandbox.user('Anna')
  const { db } = sandbox.app
  const first = await anna.sends(long('Lorem ipsum. '))
  await anna.sends('What is missing in this text? [short]')
  await expect.poll(async () => (await db.select().from(turns))[0]?.delivery).toBe('delivered')
  await anna.edits(first, long('Lorem ipsum! '))
  await anna.sees(/Send the whole text again/)
  expect(await db.$count(turns)).toBe(1)
})

it('an edit that does not change the part is ignored', async () => {
  const boris = await sandbox.user('Boris')
  const { db } = sandbox.app
  const first = await boris.sends(long('Dolor sit amet. '))
  await boris.sends('What is missing in this text? [short]')
  await expect.poll(() => db.$count(turns, eq(turns.delivery, 'delivered'))).toBe(2)
  await boris.edits(first, long('Dolor sit amet. '))
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  expect(await db.$count(turns)).toBe(2)
  expect(await boris.transcript()).not.toContain('Send the whole text again')
})
