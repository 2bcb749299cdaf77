// A double tap on “Again” below an answer repeats the question once, as it repeats an order once below a result.

import { isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns, updates } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

it('a double tap on “Again” asks and pays once', async () => {
  const anna = await sandbox.user('Anna')
  const { db } = sandbox.app
  await anna.sends('How deep is the sea? [short]')
  const answer = await anna.seesButton(/Again/)
  const data = answer.reply_markup?.inline_keyboard?.flat().find(({ text }) => /Again/.test(text))
  const tap = () => anna.tapsData(answer.message_id, data?.callback_data ?? '')
  await Promise.all([tap(), tap()])
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  expect(await db.$count(turns)).toBe(2)
})
