// Who is a member of a group: what the bot remembers, and for how long.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMembers, type Members } from '../../../src/bot/groups/members.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser } from '../../support/users/user.ts'

const [minute, hour] = [60_000, 60 * 60_000]
const outage = { kind: 'error', status: 502, description: 'Bad Gateway' } as const

let telegram: LocalTelegram
let members: Members
let clock: ReturnType<typeof handClock>
let group: number
let anna: number
let boris: number
let clara: number

beforeAll(async () => {
  telegram = await startTelegram()
})
afterAll(() => telegram.discard())

beforeEach(async () => {
  telegram.faults.clear()
  clock = handClock()
  members = createMembers({ api: telegram.bot().api, clock, log: silentLog })
  const person = async (first_name: string) => (await createUser(telegram.url, { first_name })).id
  anna = await person('Anna')
  boris = await person('Boris')
  clara = await person('Clara')
  const body = JSON.stringify({ title: 'Comments', members: [anna, boris], open: true, admin: true })
  const headers = { 'content-type': 'application/json' }
  const made = await fetch(`${telegram.url}/api/chats`, { method: 'POST', headers, body })
  group = JSON.parse(await made.text()).id
})

const breaks = (times = 1) =>
  telegram.faults.add({ target: 'telegram', operation: 'getChatMember', fault: outage, times, skip: 0 })
const leaves = async (id: number) => {
  await telegram.bot().api.banChatMember(group, id)
  await telegram.bot().api.unbanChatMember(group, id)
}

it('a restricted member is a member, and a restricted stranger is not', async () => {
  const { api } = telegram.bot()
  await api.restrictChatMember(group, boris, { can_send_photos: true })
  await api.restrictChatMember(group, clara, { can_send_photos: true })
  expect(await members.of(group, boris)).toBe('member')
  expect(await members.of(group, clara)).toBe('stranger')
})

it('a stranger who joins is a member at once, and a member who leaves is a stranger after a minute', async () => {
  expect(await members.of(group, clara)).toBe('stranger')
  await telegram.bot().api.promoteChatMember(group, clara, { can_pin_messages: true })
  expect(await members.of(group, clara)).toBe('member')
  await telegram.bot().api.promoteChatMember(group, clara, {})
  await leaves(clara)
  expect(await members.of(group, clara)).toBe('member')
  clock.advance(minute)
  expect(await members.of(group, clara)).toBe('stranger')
})

it('while Telegram does not answer, a member of the last hour remains one, and nobody else becomes one', async () => {
  expect(await members.of(group, anna)).toBe('member')
  breaks(99)
  clock.advance(hour - 1)
  expect(await members.of(group, anna)).toBe('member')
  clock.advance(1)
  expect(await members.of(group, anna)).toBe('unknown')
  expect(await members.of(group, clara)).toBe('unknown')
})
