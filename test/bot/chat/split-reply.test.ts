// A long reply in a supergroup: the client splits it, and only the first part is a reply and has a thread id.

import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

it('a reply that the client has split into two messages is asked as one question', async () => {
  const { db } = sandbox.app
  const person = await sandbox.user('Anna')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', {
    title: 'We',
    members: [person.id],
    admin: true,
  })
  const anna = person.in(id)
  await anna.sends('/chat waves [short]')
  const answer = await anna.sees(({ text, from }) => from?.is_bot === true && /waves/.test(text ?? ''))
  await expect.poll(async () => (await db.select().from(turns))[0]?.delivery).toBe('delivered')
  await anna.sends('Lorem ipsum. '.repeat(200), { reply_to: answer.message_id })
  await anna.sends('What is missing in this text? [short]')
  await expect.poll(() => db.$count(turns)).toBe(2)
  const [last] = await db.select().from(turns).orderBy(desc(turns.createdAt)).limit(1)
  expect(last?.question).toContain('What is missing')
})
