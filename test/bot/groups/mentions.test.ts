// Which messages of a group mention the bot: those with its whole name, marked by Telegram as a mention.

import type { Message, MessageEntity } from 'grammy/types'
import { expect, it } from 'vitest'
import { isMentioned, withoutMention } from '../../../src/bot/notes.ts'

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
