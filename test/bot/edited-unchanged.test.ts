// Telegram reports a message as edited also when only its link preview or its formatting has changed, not its text.

import { isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns, updates } from '../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

it('an edit that does not change the text of the last question asks nothing again', async () => {
  const anna = await sandbox.user('Anna')
  const { db } = sandbox.app
  const question = await anna.sends('What is https://example.org about? [short]')
  await anna.sees(/About “What is/)
  await anna.edits(question, 'What is https://example.org about? [short]')
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  expect(await db.$count(turns)).toBe(1)
})

it('an edit that does not change the text does not stop the answer that is being written', async () => {
  const boris = await sandbox.user('Boris')
  const { db } = sandbox.app
  const before = await db.$count(turns)
  const question = await boris.sends('Tell me much about https://example.org [long]')
  await boris.seesDraft(/./)
  await boris.edits(question, 'Tell me much about https://example.org [long]')
  await boris.sees(/About “Tell me/)
  expect(await boris.transcript()).not.toMatch(/stopped/i)
  expect(await db.$count(turns)).toBe(before + 1)
})
