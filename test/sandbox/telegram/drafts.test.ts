// Drafts of the local Telegram: what a user sees while the bot is writing, and how drafts end.

import type { Bot } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../../src/sandbox/telegram/index.ts'
import { type LocalTelegram, startTelegram, watchedClock } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let clock: ReturnType<typeof watchedClock>
let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

beforeEach(async () => {
  clock = watchedClock()
  local = await startTelegram({ clock })
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterEach(() => local.discard())

const refused = (text: string) => expect.objectContaining({ description: `Bad Request: ${text}` })
const lastUpdate = async () => (await bot.api.getUpdates()).at(-1)
const post = (path: string, body: unknown) =>
  fetch(`${local.url}/api/chats/11/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const shown = async () => (await anna.drafts()).map((draft) => draft.text)

function listen(): ChatEvent[] {
  const events: ChatEvent[] = []
  local.telegram.on((event) => void events.push(event))
  return events
}

/** Resolves when the timer of a draft is set, so that the clock can be advanced. */
const timerSet = () => clock.asked(30_000)

describe('a draft', () => {
  it('is formatted, and is not a message of the chat', async () => {
    await bot.api.sendMessageDraft(11, 7, '<b>Once</b> upon', { parse_mode: 'HTML', can_stop: true })
    expect(await anna.seesDraft(/Once upon/)).toEqual({
      draft_id: 7,
      text: 'Once upon',
      entities: [{ type: 'bold', offset: 0, length: 4 }],
      can_stop: true,
    })
    expect(await anna.transcript()).toBe('Anna: hi')
    await expect(anna.sees('Once', 50)).rejects.toThrow('was not seen')
  })

  it('is updated under its id, and replaced under another id', async () => {
    const events = listen()
    await bot.api.sendMessageDraft(11, 7, 'Once')
    await bot.api.sendMessageDraft(11, 7, 'Once upon')
    expect(await shown()).toEqual(['Once upon'])
    await bot.api.sendMessageDraft(11, 8, 'Never')
    expect(await shown()).toEqual(['Never'])
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['draft', { draft_id: 7, text: 'Once', entities: [] }],
      ['draft', { draft_id: 7, text: 'Once upon', entities: [] }],
      ['draft_ended', { draft_id: 7 }],
      ['draft', { draft_id: 8, text: 'Never', entities: [] }],
    ])
    expect((await anna.seesDraft('Once')).text).toBe('Once upon')
  })

  it('ends after 30 seconds without an update, and not before', async () => {
    await bot.api.sendMessageDraft(11, 7, 'one')
    await timerSet()
    clock.advance(29_999)
    await bot.api.sendMessageDraft(11, 7, 'one, two')
    await timerSet()
    clock.advance(29_999)
    expect(await shown()).toEqual(['one, two'])
    const events = listen()
    clock.advance(1)
    expect(await shown()).toEqual([])
    expect(events).toEqual([{ type: 'draft_ended', chat_id: 11, data: { draft_id: 7 } }])
  })

  it('ends with any message of the bot, but not with a message of the user', async () => {
    await bot.api.sendMessageDraft(11, 7, 'one')
    await anna.sends('go on')
    expect(await shown()).toEqual(['one'])
    const events = listen()
    await bot.api.sendMessage(11, 'one, two')
    expect(events.map(({ type }) => type)).toEqual(['message', 'draft_ended'])
    expect(await shown()).toEqual([])
    await bot.api.sendMessageDraft(11, 7, 'three')
    const { message_id } = await anna.sees('one, two')
    await bot.api.editMessageText(11, message_id, 'one and two')
    expect(await shown()).toEqual(['three'])
    await bot.api.copyMessage(11, 11, message_id)
    expect(await shown()).toEqual([])
  })
})

describe('a draft is refused', () => {
  const send = (chat: number, id: number, text: string, other = {}) =>
    bot.api.sendMessageDraft(chat, id, text, other)

  it.each([
    ['without an id', 0, 'x', {}, 'draft_id must be non-zero'],
    ['over 4096 characters', 7, 'x'.repeat(4097), {}, 'message is too long'],
    [
      'with an unclosed tag',
      7,
      '<b>x',
      { parse_mode: 'HTML' },
      `can't parse entities: Can't find end tag corresponding to start tag "b"`,
    ],
    [
      'with an entity before the text',
      7,
      'x',
      { entities: [{ type: 'bold', offset: -1, length: 1 }] },
      'receive an entity with incorrect offset -1',
    ],
    ['in an unknown topic', 7, 'x', { message_thread_id: 5 }, 'message thread not found'],
  ])('%s', async (_, id, text, other, why) => {
    await expect(send(11, id, text, other)).rejects.toEqual(refused(why))
    expect(await anna.drafts()).toEqual([])
  })
})

describe('Stop on a draft', () => {
  it('removes the draft and sends the bot an update with its id', async () => {
    await bot.api.sendMessageDraft(11, 7, 'one', { can_stop: true })
    expect(await anna.stops()).toMatchObject({ draft_id: 7, text: 'one' })
    expect(await anna.drafts()).toEqual([])
    expect(await lastUpdate()).toMatchObject({
      stopped_message_generation: { chat: { id: 11, type: 'private' }, draft_id: 7 },
    })
  })

  it('is refused when the draft has no such button, and for another id', async () => {
    await bot.api.sendMessageDraft(11, 7, 'one')
    expect((await post('stop', { from: 11 })).status).toBe(404)
    await bot.api.sendMessageDraft(11, 7, 'one', { can_stop: true })
    const wrong = await post('stop', { from: 11, draft_id: 8 })
    expect(await wrong.json()).toEqual({ error: 'no draft 8 with a Stop button is in this chat now' })
    expect(await shown()).toEqual(['one'])
  })
})
