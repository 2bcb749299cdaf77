// A message of a kind that the bot cannot use is answered in a private chat with the kinds that it can use.

import { expect, it } from 'vitest'
import { newGroup } from '../../support/users/group.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
const accepted = /Send me text, a picture/

/** Waits until all earlier updates are handled, and counts what the bot said before. */
const answersOf = async (user: SandboxUser) => {
  await user.sends('/settings')
  await user.sees('Язык / Language')
  return (await user.chat()).filter(({ from }) => from?.is_bot).length - 1
}

it('each message of such a kind gets one answer', async () => {
  const contents = [
    { contact: { phone_number: '+79990000000', first_name: 'Vera' } },
    { location: { latitude: 55.75, longitude: 37.62 } },
    { gift: { gift: { id: '1' } } },
    { giveaway: { winner_count: 1 } },
    { paid_media: { star_count: 1, paid_media: [] } },
    { users_shared: { request_id: 1, users: [] } },
    { chat_shared: { request_id: 1, chat_id: 1 } },
    { boost_added: { boost_count: 1 } },
    { checklist: { title: 'To do', tasks: [] } },
    { story: { id: 1 } },
    { dice: { emoji: '🎲', value: 1 } },
    // A kind that Telegram will add.
    { hologram: {} },
  ]
  const anna = await sandbox.user('Anna')
  for (const [at, content] of contents.entries()) {
    const { message_id } = await anna.sendsContent(content)
    await anna.sees((one) => one.message_id > message_id && accepted.test(one.text ?? ''))
    expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(at + 1)
  }
})

it('a pinned message, a timer, a background and a new title need no answer', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sendsContent({ pinned_message: { message_id: 1, date: 0, chat: { id: 1 } } })
  await anna.sendsContent({ message_auto_delete_timer_changed: { message_auto_delete_time: 5 } })
  await anna.sendsContent({ chat_background_set: { type: {} } })
  await anna.sendsContent({ new_chat_title: 'We' })
  expect(await answersOf(anna)).toBe(0)
})

it('in a group, only one that is meant for the bot is answered', async () => {
  const { anna } = await newGroup(sandbox, { admin: true })
  await anna.sendsContent({ story: { id: 1 } })
  expect(await answersOf(anna)).toBe(0)
  const { message_id } = await anna.sees('Язык / Language')
  await anna.sendsContent({ story: { id: 1 } }, { reply_to: message_id })
  await anna.sees(accepted)
})
