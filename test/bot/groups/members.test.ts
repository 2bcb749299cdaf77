// Who is a member of a group: what the bot remembers, and for how long.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMembers, type Members } from '../../../src/bot/groups/members.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

const [minute, hour] = [60_000, 60 * 60_000]
const outage = { kind: 'error', status: 502, description: 'Bad Gateway' } as const

let telegram: LocalTelegram
let members: Members
let clock: ReturnType<typeof handClock>
let group: number
let owner: SandboxUser
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
  owner = await createUser(telegram.url, { first_name: 'Anna' })
  anna = owner.id
  boris = await person('Boris')
  clara = await person('Clara')
  const body = JSON.stringify({ title: 'Comments', members: [anna, boris], open: true, admin: true })
  const headers = { 'content-type': 'application/json' }
  const made = await fetch(`${telegram.url}/api/chats`, { method: 'POST', headers, body })
  group = JSON.parse(await made.text()).id
  owner = owner.in(group)
})

const breaks = (times = 1) =>
  telegram.faults.add({ target: 'telegram', operation: 'getChatMember', fault: outage, times, skip: 0 })

it('a restricted member is a member, and a restricted stranger is not', async () => {
  await owner.setsMember(boris, { status: 'restricted', is_member: true })
  await owner.setsMember(clara, { status: 'restricted', is_member: false })
  expect(await members.of(group, boris)).toBe('member')
  expect(await members.of(group, clara)).toBe('stranger')
})

it('a stranger who joins is a member at once, and a member who leaves is a stranger after a minute', async () => {
  expect(await members.of(group, clara)).toBe('stranger')
  await owner.setsMember(clara, { status: 'member' })
  expect(await members.of(group, clara)).toBe('member')
  await owner.setsMember(clara, { status: 'left' })
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
