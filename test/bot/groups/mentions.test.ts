// Which messages of a group mention the bot: those with its whole name, marked by Telegram as a mention.

import { eq } from 'drizzle-orm'
import type { Message, MessageEntity } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMentioned, withoutMention } from '../../../src/bot/notes.ts'
import { turns, users } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

const name = '@sandbox_generation_bot'
let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '10' })
})
afterAll(() => sandbox.stop())

describe.each(['text', 'caption'] as const)('a %s', (part) => {
  it.each([
    [`${name}_support help me`, []],
    [`${name}2 hi`, []],
    [`write to mail${name}.example`, [{ type: 'email', offset: 9, length: 35 }]],
    [`see https://t.me/${name}/1`, [{ type: 'url', offset: 4, length: 38 }]],
    [`type ${name} there`, [{ type: 'code', offset: 5, length: 23 }]],
    [`type ${name} there`, [{ type: 'pre', offset: 5, length: 23 }]],
    [`/image@other_bot ${name}2`, [{ type: 'bot_command', offset: 0, length: 16 }]],
    [
      'hi there',
      [{ type: 'text_mention', offset: 0, length: 2, user: { id: 5, is_bot: true, first_name: 'B' } }],
    ],
  ] satisfies [string, MessageEntity[]][])('without a mention asks nothing: %s', async (words, entities) => {
    const marked =
      part === 'text' ? { text: words, entities } : { caption: words, caption_entities: entities }
    const bare = part === 'text' ? { text: words } : { caption: words }
    const isMarked = entities.length > 0
    for (const one of isMarked ? [marked] : [marked, bare]) expect(await becomesUser(one)).toBe(false)
    expect(await sandbox.app.db.$count(turns)).toBe(0)
  })
})

let lastId = 920_000_000
/** Handles a message of a new person in a group. @returns whether the person is a user now */
async function becomesUser(
  content: Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>,
): Promise<boolean> {
  const { db } = sandbox.app
  const anna = await sandbox.user('Anna')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  lastId += 1
  const from = { id: lastId, is_bot: false, first_name: 'Boris' }
  const chat = { id, type: 'supergroup' as const, title: 'We' }
  const photo =
    content.caption === undefined
      ? {}
      : { photo: [{ file_id: 'f', file_unique_id: 'u', width: 9, height: 9 }] }
  const message = {
    message_id: lastId,
    date: Math.floor(Date.now() / 1000),
    chat,
    from,
    ...photo,
    ...content,
  }
  await storeUpdates({ db, clock: systemClock }, [{ update_id: lastId, message }])
  await anna.in(id).sends('/settings')
  await anna.in(id).sees('Язык / Language')
  return (await db.$count(users, eq(users.telegramId, lastId))) > 0
}

const me = { id: 7, is_bot: true as const, first_name: 'Bot', username: 'sandbox_generation_bot' }
// The fields of `me` that the code reads.
const ctx = { me } as Parameters<typeof isMentioned>[0]
const chat = { id: -1, type: 'supergroup' as const, title: 'We' }
const said = (text: string, entities?: MessageEntity[]): Message =>
  ({ message_id: 1, date: 0, chat, text, ...(entities ? { entities } : {}) }) satisfies Message

describe('a mention is', () => {
  it.each([
    [
      'the whole name in any case',
      said('Hey @Sandbox_Generation_Bot, hi', [{ type: 'mention', offset: 4, length: 23 }]),
      'Hey , hi',
    ],
    ['a name without entities', said(`hey ${name}: hi`), 'hey : hi'],
    ['a name in brackets without entities', said(`(${name})`), '()'],
    [
      'a name that stands for the bot',
      said('Bot, hi', [{ type: 'text_mention', offset: 0, length: 3, user: me }]),
      ', hi',
    ],
    [
      'the name in a command',
      said(`try /help${name} now`, [{ type: 'bot_command', offset: 4, length: 28 }]),
      'try /help now',
    ],
  ])('%s', (_, message, rest) => {
    expect(isMentioned(ctx, message)).toBe(true)
    expect(withoutMention(ctx, message).text).toBe(rest)
  })

  it('removed alone: other names, and the places of other entities, stay', () => {
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
})
