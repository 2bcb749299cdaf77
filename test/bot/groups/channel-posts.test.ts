// Posts of a channel that Telegram forwards into its discussion group. Their author is Telegram's service user 777000, which has no
// account here.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns, users } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '10' })
})
afterAll(() => sandbox.stop())

it('a channel post that mentions the bot is not a question', async () => {
  const { db } = sandbox.app
  const anna = await sandbox.user('Anna')
  const telegram = await createUser(sandbox.url, { id: 777000, first_name: 'Telegram' })
  const { id } = await sandbox.post<{ id: number }>('/api/chats', {
    title: 'Comments',
    members: [anna.id, 777000],
  })
  await telegram.in(id).sends('Our new bot @sandbox_generation_bot draws and answers. Try it! [short]')
  await anna.in(id).sends('/settings')
  await anna.in(id).sees('Язык / Language')
  expect(await db.$count(users, eq(users.telegramId, 777000))).toBe(0)
  expect(await db.$count(turns)).toBe(0)
})
