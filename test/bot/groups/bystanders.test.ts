// Members of a group in which the bot sees all messages, who talk to each other and not to the bot.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { isCommand } from '../../../src/bot/commands.ts'
import { users } from '../../../src/db/schema.ts'
import { everythingSold } from '../../support/sold.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()

const rowsOf = ({ id }: SandboxUser) => sandbox.app.db.$count(users, eq(users.telegramId, id))

it('a member who only talks to others is no user and is told nothing', async () => {
  const people = [await sandbox.user('Anna'), await sandbox.user('Boris')] as const
  const group = { title: 'Friends', members: people.map(({ id }) => id), admin: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [anna, boris] = [people[0].in(id), people[1].in(id)]
  /** Waits until all earlier updates are handled: those of one chat are handled in their order. */
  const isDone = async () => {
    const { message_id: asked } = await anna.sends('/settings')
    await anna.sees(({ message_id, text }) => message_id > asked && text === 'Язык / Language')
  }
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

  await boris.sends('/help')
  await boris.sees(/What I can do in this group/)
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
