// Members who write in the name of their group or of a channel are told once that an order needs a personal account.

import type { Chat, User } from 'grammy/types'
import { expect, it } from 'vitest'
import { users } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'

const sandbox = await sharedSandbox()

let lastId = 910_000_000
interface Sender {
  readonly from: User
  readonly sender_chat: Chat
}
/** The sender of a message by an anonymous administrator. */
const admin = (id: number): Sender => ({
  from: { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' },
  sender_chat: { id, type: 'supergroup', title: 'We' },
})
/** The sender of a message by a member who writes in the name of a channel. */
const channel: Sender = {
  from: { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' },
  sender_chat: { id: -100_777, type: 'channel', title: 'News' },
}

async function says(id: number, sender: Sender, ...texts: string[]): Promise<void> {
  const { db } = sandbox.app
  const chat = { id, type: 'supergroup' as const, title: 'We' }
  for (const text of texts) {
    lastId += 1
    const message = {
      message_id: lastId,
      date: Math.floor(Date.now() / 1000),
      chat,
      ...sender,
      text,
    }
    await storeUpdates({ db, clock: systemClock }, [{ update_id: lastId, message }])
  }
}

it.each([
  ['an administrator', admin, /от имени группы/],
  ['a channel', () => channel, /от имени канала[\s\S]*Выберите отправителем себя/],
])(
  'several commands in the name of %s get one explanation, and other messages get none',
  async (_, senderIn, said) => {
    const anna = await sandbox.user('Anna', 'ru')
    const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
    const here = anna.in(id)
    const answers = async () => (await here.chat()).filter(({ text }) => said.test(text ?? ''))
    const sender = senderIn(id)
    await says(id, sender, 'hello', '/image@other_bot a cat', '/nonsense')
    await here.sends('/settings')
    await here.sees('Язык / Language')
    expect(await answers()).toHaveLength(0)
    const before = await sandbox.app.db.$count(users)
    await says(id, sender, '/image a cat', '@sandbox_generation_bot hi', '/video a dog')
    await here.sees(said)
    await here.sends('/history')
    await here.sees(/пока пусто|заказы/i)
    expect(await answers()).toHaveLength(1)
    expect(await sandbox.app.db.$count(users)).toBe(before)
  },
)
