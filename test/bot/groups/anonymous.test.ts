// Administrators who write in the name of their group are told once that orders need a person.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

let lastId = 910_000_000
/** As Telegram shows an anonymous administrator. */
async function says(id: number, ...texts: string[]): Promise<void> {
  const { db } = sandbox.app
  const chat = { id, type: 'supergroup' as const, title: 'We' }
  const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
  for (const text of texts) {
    lastId += 1
    const message = {
      message_id: lastId,
      date: Math.floor(Date.now() / 1000),
      chat,
      from,
      sender_chat: chat,
      text,
    }
    await storeUpdates({ db, clock: systemClock }, [{ update_id: lastId, message }])
  }
}

it('is said once for several commands, and not for talk of the group', async () => {
  const anna = await sandbox.user('Anna', 'ru')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  const here = anna.in(id)
  const answers = async () => (await here.chat()).filter(({ text }) => /от имени группы/.test(text ?? ''))
  await says(id, 'hello', '/image@other_bot a cat', '/nonsense')
  await here.sends('/settings')
  await here.sees('Язык / Language')
  expect(await answers()).toHaveLength(0)
  const before = await sandbox.app.db.$count(users)
  await says(id, '/image a cat', '@sandbox_generation_bot hi', '/video a dog')
  await here.sees(/отключите анонимность|Отключите анонимность/)
  await here.sends('/history')
  await here.sees(/пока пусто|заказы/i)
  expect(await answers()).toHaveLength(1)
  expect(await sandbox.app.db.$count(users)).toBe(before)
})
