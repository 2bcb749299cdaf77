// Members of a group: who is one, what mentions the bot, and people who are no users like others: who talk to each other, write in the name
// of a group or channel, comment posts, or whose membership Telegram hides.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Chat, Message, MessageEntity, User } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isCommand } from '../../../src/bot/commands.ts'
import { createMembers, type Members } from '../../../src/bot/groups/members.ts'
import { isMentioned, withoutMention } from '../../../src/bot/notes.ts'
import { users } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { everythingSold } from '../../support/sold.ts'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { groupOf, newGroup } from '../../support/users/group.ts'
import { turnsIn } from '../../support/users/order.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

const name = '@sandbox_generation_bot'
const me = { id: 7, is_bot: true as const, first_name: 'Bot', username: 'sandbox_generation_bot' }
// The fields of `me` that the code reads.
const ctx = { me } as Parameters<typeof isMentioned>[0]
const chat = { id: -1, type: 'supergroup' as const, title: 'We' }
const said = (text: string, entities?: MessageEntity[]): Message =>
  ({ message_id: 1, date: 0, chat, text, ...(entities ? { entities } : {}) }) satisfies Message
const captioned = ({ text = '', entities: caption_entities, ...rest }: Message): Message =>
  ({ ...rest, caption: text, ...(caption_entities ? { caption_entities } : {}) }) as Message

it('other names, and the name in a link, an address or code, are no mention', () => {
  const other = { id: 5, is_bot: true, first_name: 'B' }
  const rows: [string, MessageEntity[]?][] = [
    [`${name}_support help me`],
    [`${name}_support help me`, []],
    [`${name}2 hi`],
    [`write to mail${name}.example`],
    [`write to mail${name}.example`, [{ type: 'email', offset: 9, length: 35 }]],
    [`see https://t.me/${name}/1`],
    [`see https://t.me/${name}/1`, [{ type: 'url', offset: 4, length: 38 }]],
    [`type ${name} there`, [{ type: 'code', offset: 5, length: 23 }]],
    [`type ${name} there`, [{ type: 'pre', offset: 5, length: 23 }]],
    [`/image@other_bot ${name}2`, [{ type: 'bot_command', offset: 0, length: 16 }]],
    ['hi there', [{ type: 'text_mention', offset: 0, length: 2, user: other }]],
  ]
  const messages = rows.map((row) => said(...row)).flatMap((one) => [one, captioned(one)])
  expect(messages.filter((one) => isMentioned(ctx, one))).toEqual([])
})

it('a mention is the whole name in any case, alone or in a command, or a name that stands for the bot', () => {
  const rows: [Message, string][] = [
    [said('Hey @Sandbox_Generation_Bot, hi', [{ type: 'mention', offset: 4, length: 23 }]), 'Hey , hi'],
    [said(`hey ${name}: hi`), 'hey : hi'],
    [said(`(${name})`), '()'],
    [said('Bot, hi', [{ type: 'text_mention', offset: 0, length: 3, user: me }]), ', hi'],
    [said(`try /help${name} now`, [{ type: 'bot_command', offset: 4, length: 28 }]), 'try /help now'],
  ]
  for (const [message, rest] of rows) {
    expect([isMentioned(ctx, message), isMentioned(ctx, captioned(message))]).toEqual([true, true])
    expect(withoutMention(ctx, message).text).toBe(rest)
  }
})

it('a mention is removed alone: other names, and the places of other entities, stay', () => {
  const message = said(`${name} see it at ${name}_support`, [
    { type: 'mention', offset: 0, length: 23 },
    { type: 'bold', offset: 0, length: 27 },
    { type: 'text_link', offset: 28, length: 2, url: 'https://a.example' },
  ])
  const rest = withoutMention(ctx, message)
  expect(rest.text).toBe(` see it at ${name}_support`)
  expect(rest.entities).toEqual([
    { type: 'bold', offset: 0, length: 4 },
    { type: 'text_link', offset: 5, length: 2, url: 'https://a.example' },
  ])
})

describe('what the bot remembers of members', () => {
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
})

const sandbox = await sharedSandbox()

const rowsOf = ({ id }: SandboxUser) => sandbox.app.db.$count(users, eq(users.telegramId, id))

it('a member who only talks to others is no user and is told nothing', async () => {
  const people = [await sandbox.user('Anna'), await sandbox.user('Boris')] as const
  const group = { title: 'Friends', members: people.map(({ id }) => id), admin: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [anna, boris] = [people[0].in(id), people[1].in(id)]
  /** Waits until all earlier updates are handled: those of one chat are handled in their order. */
  const isDone = () => anna.asks('/settings', 'Язык / Language')
  const says = (text: string) => Promise.all(Array.from({ length: 40 }, () => boris.sends(text)))
  const said = await boris.sends('hello all')
  await boris.edits(said, 'hello everybody')
  await boris.sends('/play a song')
  await boris.sends('/image@other_bot a cat')
  await boris.sends('fine', { reply_to: (await anna.sends('how are you?')).message_id })
  await says('look at this')
  await isDone()
  expect(await rowsOf(boris)).toBe(0)
  expect(await anna.transcript()).not.toContain('Too fast')

  await boris.asks('/help', /What I can do in this group/)
  expect(await rowsOf(boris)).toBe(1)
  await says('and at this')
  await isDone()
  expect(await anna.transcript()).not.toContain('Too fast')
})

it('isCommand() is true for every command that src/bot handles, except those of operators', () => {
  const cwd = join(import.meta.dirname, '../../../src/bot')
  const named = globSync('**/*.ts', { cwd, exclude: ['admin/**'] })
    .map((path) => readFileSync(join(cwd, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/^ {2}commands: \{\n(.*?)^ {2}\}/gms)])
    .flatMap(([, table = '']) => table.match(/^ {4}(?:async )?\w+(?=[(:])/gm) ?? [])
    .map((line) => line.replace(/.* /, ''))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((command) => !isCommand(everythingSold.catalog, command))).toEqual([])
})

describe('In the name of a group or a channel,', () => {
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
    const chat = { id, type: 'supergroup' as const, title: 'We' }
    const date = Math.floor(Date.now() / 1000)
    for (const text of texts) {
      lastId += 1
      const message = { message_id: lastId, date, chat, ...sender, text }
      const update = { update_id: lastId, message }
      await storeUpdates({ db: sandbox.app.db, clock: systemClock }, [update])
    }
  }

  it.each([
    ['an administrator', admin, /от имени группы/],
    ['a channel', () => channel, /от имени канала[\s\S]*Выберите отправителем себя/],
  ])(
    'several commands in the name of %s get one explanation, and other messages get none',
    async (_, senderIn, said) => {
      const anna = await sandbox.user('Anna', 'ru')
      const id = await groupOf(sandbox, anna)
      const here = anna.in(id)
      const answers = async () => (await here.chat()).filter(({ text }) => said.test(text ?? ''))
      const sender = senderIn(id)
      await says(id, sender, 'hello', '/image@other_bot a cat', '/nonsense')
      await here.asks('/settings', 'Язык / Language')
      expect(await answers()).toHaveLength(0)
      const before = await sandbox.app.db.$count(users)
      await says(id, sender, '/image a cat', '@sandbox_generation_bot hi', '/video a dog')
      await here.sees(said)
      await here.asks('/history', /пока пусто|заказы/i)
      expect(await answers()).toHaveLength(1)
      expect(await sandbox.app.db.$count(users)).toBe(before)
    },
  )
})

describe('Below a post of a channel,', () => {
  it('a post that mentions the bot is not a question, and a comment takes the post only where it quotes it', async () => {
    const { db } = sandbox.app
    const person = await sandbox.user('Anna')
    const telegram = await createUser(sandbox.url, { id: 777_000, first_name: 'Telegram' })
    const id = await groupOf(sandbox, person, telegram)
    const anna = person.in(id)
    await telegram.in(id).sends('Our new bot @sandbox_generation_bot draws and answers. Try it! [short]')
    const picture = { ...(await png()), kind: 'photo' }
    const post = await telegram.in(id).sendsFile(picture, 'a post about whales')
    const below = { reply_to: post.message_id }
    await anna.sends('/video a fox', below)
    expect((await anna.seesButton(/^Generate/)).text).not.toContain('Frames')
    expect(await db.$count(users, eq(users.telegramId, 777_000))).toBe(0)
    expect(await turnsIn(sandbox, anna)).toEqual([])
    await anna.asks('@sandbox_generation_bot what is rain? [short]', /short answer/, below)
    expect(await turnsIn(sandbox, anna)).toMatchObject([{ question: 'what is rain? [short]', files: [] }])
    await anna.sends('@sandbox_generation_bot how large? [short]', { ...below, quote: 'whales' })
    await expect
      .poll(() => turnsIn(sandbox, anna))
      .toMatchObject([{}, { question: expect.stringMatching(/^> whales/) }])
  })
})

describe('In a group with hidden members,', () => {
  /** The administrator of the group, and a member. */
  let anna: SandboxUser
  let boris: SandboxUser
  beforeEach(async () => {
    ;({ anna, boris } = await newGroup(sandbox, { title: 'Hidden' }))
  })

  const refuses = (operation: string, description: string, times = 1) =>
    sandbox.breaks('telegram', operation, { kind: 'error', status: 400, description }, times)
  const hidesMembers = (times?: number) => refuses('getChatMember', 'Bad Request: CHAT_ADMIN_REQUIRED', times)

  it('an administrator opens a wallet, and another member does not', async () => {
    await hidesMembers()
    await boris.asks('/wallet', /has no wallet/)
    await hidesMembers(2)
    await anna.opens('/wallet', 'Open a wallet')
    await anna.sees(/The group wallet is open, Anna pays/)
  })

  it('an administrator starts the conversation of another member anew; when all are hidden, the bot says what it needs', async () => {
    await boris.asks('/chat waves [short]', /short answer/)
    await hidesMembers()
    await anna.asks('/new', /new conversation|start(ed)? over|from scratch/i)
    await boris.sends('/chat waves [short]')
    const needsRights = /doesn’t tell me who the admins of this group are/
    for (const command of ['/wallet', '/persona a pirate']) {
      await hidesMembers()
      await refuses('getChatAdministrators', 'Bad Request: member list is inaccessible')
      await anna.asks(command, needsRights)
    }
  })
})
