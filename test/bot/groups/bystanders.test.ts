// People in a group who are no users like others: members who talk to each other, who write in the name of a group or channel, who
// comment posts, or whose membership Telegram hides.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Chat, User } from 'grammy/types'
import { beforeEach, describe, expect, it } from 'vitest'
import { isCommand } from '../../../src/bot/commands.ts'
import { users } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { everythingSold } from '../../support/sold.ts'
import { groupOf, newGroup } from '../../support/users/group.ts'
import { turnsIn } from '../../support/users/order.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()

const rowsOf = ({ id }: SandboxUser) => sandbox.app.db.$count(users, eq(users.telegramId, id))

it('a member who only talks to others is no user and is told nothing', async () => {
  const people = [await sandbox.user('Anna'), await sandbox.user('Boris')] as const
  const group = { title: 'Friends', members: people.map(({ id }) => id), admin: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [anna, boris] = [people[0].in(id), people[1].in(id)]
  /** Waits until all earlier updates are handled: those of one chat are handled in their order. */
  const isDone = () => anna.asks('/settings', 'Язык / Language')
  const says = (text: string, times = 60) =>
    Promise.all(Array.from({ length: times }, () => boris.sends(text)))
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
  // The limit refills while they are handled.
  await says('/help', 150)
  await boris.sees('Too fast')
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
