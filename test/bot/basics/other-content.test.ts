// A message of a kind that the bot cannot use is answered in a private chat with the kinds that it can use.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

it.each([
  [
    'en',
    'a contact',
    { contact: { phone_number: '+79990000000', first_name: 'Vera' } },
    /I take text, pictures/,
  ],
  ['ru', 'a place', { location: { latitude: 55.75, longitude: 37.62 } }, /Я принимаю текст, картинки/],
  ['en', 'a gift', { gift: { gift: { id: '1' } } }, /I take text, pictures/],
  ['en', 'a giveaway', { giveaway: { winner_count: 1 } }, /I take text, pictures/],
  ['en', 'media to buy', { paid_media: { star_count: 1, paid_media: [] } }, /I take text, pictures/],
  ['en', 'a shared user', { users_shared: { request_id: 1, users: [] } }, /I take text, pictures/],
  ['en', 'a shared chat', { chat_shared: { request_id: 1, chat_id: 1 } }, /I take text, pictures/],
  ['en', 'a boost', { boost_added: { boost_count: 1 } }, /I take text, pictures/],
  ['en', 'a checklist', { checklist: { title: 'To do', tasks: [] } }, /I take text, pictures/],
  ['en', 'a story', { story: { id: 1 } }, /I take text, pictures/],
  ['en', 'a dice', { dice: { emoji: '🎲', value: 1 } }, /I take text, pictures/],
  ['en', 'a kind that Telegram will add', { hologram: {} }, /I take text, pictures/],
] as const)('in %s: %s is answered with what the bot accepts', async (language, _, content, answer) => {
  const anna = await sandbox.user('Anna', language)
  await sandbox.post(`/api/chats/${anna.id}/messages`, { from: anna.id, content })
  await anna.sees(answer)
  expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
})

const isOver = async (anna: SandboxUser) => {
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  return (await anna.chat()).filter(({ from }) => from?.is_bot).length - 1
}

it.each([
  ['a pinned message', { pinned_message: { message_id: 1, date: 0, chat: { id: 1 } } }],
  ['a timer', { message_auto_delete_timer_changed: { message_auto_delete_time: 5 } }],
  ['a background', { chat_background_set: { type: {} } }],
  ['a new title', { new_chat_title: 'We' }],
])('%s needs no answer', async (_, content) => {
  const anna = await sandbox.user('Anna')
  await anna.sendsContent(content)
  expect(await isOver(anna)).toBe(0)
})

it('in a group, only one that is meant for the bot is answered', async () => {
  const person = await sandbox.user('Anna')
  const group = { title: 'We', members: [person.id], admin: true }
  const anna = person.in((await sandbox.post<{ id: number }>('/api/chats', group)).id)
  await anna.sendsContent({ story: { id: 1 } })
  expect(await isOver(anna)).toBe(0)
  const { message_id } = await anna.sees('Язык / Language')
  await anna.sendsContent({ story: { id: 1 } }, { reply_to: message_id })
  await anna.sees(/I take text, pictures/)
})
