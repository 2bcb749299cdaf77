// A double tap on “Again” below a result. The request of the new order may differ from the old one, because the operator's values or the
// version of the bot have changed.

import { eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generations, updates } from '../../../src/db/schema.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '1000' })
})
afterAll(() => sandbox.stop())

it.each([
  ['the request is the same', sql`request`],
  ['the request has another value of the operator', sql`request || '{"formerly": "sent"}'::jsonb`],
])('a double tap orders once: %s', async (_, request) => {
  const { db } = sandbox.app
  const anna = await sandbox.user('Anna')
  const id = await order(sandbox, anna, '/image a fox')
  await db
    .update(generations)
    .set({ request: request as never })
    .where(eq(generations.id, id))
  const result = await anna.seesButton(/^🔁 Again · /)
  const data = result.reply_markup?.inline_keyboard
    ?.flat()
    .find(({ text }) => /Again/.test(text))?.callback_data
  await Promise.all([
    anna.tapsData(result.message_id, data ?? ''),
    anna.tapsData(result.message_id, data ?? ''),
  ])
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  await expect.poll(() => db.$count(updates, isNull(updates.doneAt))).toBe(0)
  expect(await db.$count(generations, eq(generations.chatId, anna.chatId))).toBe(2)
})
