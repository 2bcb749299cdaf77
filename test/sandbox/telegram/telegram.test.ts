// The local Telegram: conversations, refusals, scripted faults, groups and the command menu.

import { type Bot, InlineKeyboard } from 'grammy'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

beforeEach(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', language_code: 'ru', id: 11 })
})
afterEach(async () => {
  await bot.stop()
  await local.discard()
})

/** Runs the bot by long polling; the test ends it. */
const start = () => new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }))
const post = (path: string, body: unknown) =>
  fetch(`${local.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const make = async <T>(path: string, body: unknown): Promise<T> =>
  JSON.parse(await (await post(path, body)).text())
const refused = (text: string) => expect.objectContaining({ description: text })

describe('a conversation', () => {
  it('lets users delete their own messages only, and does not tell the bot', async () => {
    const updates: string[] = []
    bot.use((ctx, next) => {
      updates.push(Object.keys(ctx.update).at(-1) ?? '')
      return next()
    })
    bot.on('message', (ctx) => ctx.reply('ok'))
    await start()
    const said = await anna.sends('cat')
    const answer = await anna.sees('ok')
    await anna.deletes(said)
    expect((await anna.chat()).map(({ text }) => text)).toEqual(['ok'])
    await expect(anna.deletes(said)).rejects.toThrow('there is no message')
    await expect(anna.deletes(answer)).rejects.toThrow('users can delete only their own messages')
    await anna.sends('dog')
    await expect.poll(() => updates).toEqual(['message', 'message'])
  })
})

describe('the local Telegram refuses', () => {
  it('a wrong token, and an unknown method with a line on stderr', async () => {
    expect((await post('/bot1:wrong/getMe', {})).status).toBe(401)
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const errors: unknown[] = []
    local.telegram.on((event) => void errors.push(event))
    const answer = await post(`/bot${token}/sendPaintings`, { chat_id: 11 })
    expect(await answer.json()).toEqual({
      ok: false,
      error_code: 400,
      description: 'Bad Request: method sendPaintings is not part of the sandbox',
    })
    expect(written).toHaveBeenCalledWith(expect.stringContaining('sendPaintings'))
    expect(errors).toMatchObject([{ type: 'error', data: { method: 'sendPaintings' } }])
    written.mockRestore()
  })

  it('a message to a user who has not started the bot, to an unknown chat, and to a user who blocked the bot', async () => {
    const write = () => bot.api.sendMessage(anna.id, 'hi')
    await expect(write()).rejects.toEqual(refused('Bad Request: chat not found'))
    await expect(bot.api.sendMessage(404, 'hi')).rejects.toEqual(refused('Bad Request: chat not found'))
    await anna.sends('hi')
    await write()
    await anna.blocks()
    await expect(write()).rejects.toMatchObject({
      error_code: 403,
      description: 'Forbidden: bot was blocked by the user',
    })
    const statuses = (await bot.api.getUpdates()).map((one) => one.my_chat_member?.new_chat_member.status)
    expect(statuses).toEqual([undefined, 'kicked'])
    await anna.blocks(false)
    await write()
  })

  it.each([
    ['data of 65 bytes', { text: 'x', callback_data: `${'я'.repeat(32)}a` }, 'BUTTON_DATA_INVALID'],
    [
      'no action',
      { text: 'x' },
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'a bare host',
      { text: 'x', url: 'http://localhost' },
      "inline keyboard button URL 'http://localhost' is invalid: Wrong HTTP URL",
    ],
    ['pay outside an invoice', { text: 'x', pay: true }, 'BUTTON_TYPE_INVALID'],
  ])('a button with %s', async (_, button, text) => {
    await anna.sends('hi')
    const body = { chat_id: anna.id, text: 'x', reply_markup: { inline_keyboard: [[button]] } }
    const answer = await post(`/bot${token}/sendMessage`, body)
    expect(await answer.json()).toEqual({ ok: false, error_code: 400, description: `Bad Request: ${text}` })
  })

  it("edits that change nothing, of unknown messages, and of messages that are not the bot's", async () => {
    const said = await anna.sends('hi')
    const reply_markup = new InlineKeyboard().text('a', 'a')
    const { message_id } = await bot.api.sendMessage(anna.id, '<b>x</b>', {
      parse_mode: 'HTML',
      reply_markup,
    })
    const edit = (id: number, text: string, other = {}) => bot.api.editMessageText(anna.id, id, text, other)
    await expect(edit(message_id, '<b>x</b>', { parse_mode: 'HTML', reply_markup })).rejects.toEqual(
      refused(
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same ' +
          'as a current content and reply markup of the message',
      ),
    )
    await edit(message_id, '<b>x</b>', { parse_mode: 'HTML' })
    await edit(message_id, 'x')
    await expect(edit(999, 'x')).rejects.toEqual(refused('Bad Request: message to edit not found'))
    await expect(edit(said.message_id, 'x')).rejects.toEqual(refused("Bad Request: message can't be edited"))
    await expect(bot.api.editMessageCaption(anna.id, message_id, { caption: 'x' })).rejects.toEqual(
      refused('Bad Request: there is no caption in the message to edit'),
    )
    await bot.api.deleteMessage(anna.id, message_id)
    await expect(bot.api.deleteMessage(anna.id, message_id)).rejects.toEqual(
      refused('Bad Request: message to delete not found'),
    )
    expect(await anna.transcript()).toBe('Anna: hi')
  })

  it('an answer to a callback query that is unknown or already answered', async () => {
    await anna.sends('hi')
    const { message_id } = await bot.api.sendMessage(anna.id, 'x')
    const { callback_query_id = '' } = await anna.tapsData(message_id, 'forged')
    await bot.api.answerCallbackQuery(callback_query_id)
    const old = refused('Bad Request: query is too old and response timeout expired or query ID is invalid')
    await expect(bot.api.answerCallbackQuery(callback_query_id)).rejects.toEqual(old)
    await expect(bot.api.answerCallbackQuery('123')).rejects.toEqual(old)
  })
})

describe('a scripted fault', () => {
  it('can send an error with its parameters', async () => {
    await anna.sends('hi')
    const send = () => bot.api.sendMessage(anna.id, 'x')
    const fault = (one: object) =>
      post('/api/faults', { target: 'telegram', operation: 'sendMessage', fault: one })
    await fault({ kind: 'error', status: 429, retryAfter: 3 })
    await expect(send()).rejects.toMatchObject({ error_code: 429, parameters: { retry_after: 3 } })
    await fault({ kind: 'error', status: 400, migrateTo: -100 })
    await expect(send()).rejects.toMatchObject({ parameters: { migrate_to_chat_id: -100 } })
    await fault({ kind: 'error', status: 400, description: 'Bad Request: no' })
    await expect(send()).rejects.toMatchObject({ description: 'Bad Request: no', parameters: {} })
    await send()
  })

  it('for any method does not affect getUpdates', async () => {
    await post('/api/faults', { target: 'telegram', operation: '*', fault: { kind: 'error', status: 500 } })
    await anna.sends('hi')
    expect(await bot.api.getUpdates()).toHaveLength(1)
    await expect(bot.api.getMe()).rejects.toMatchObject({ error_code: 500 })
    await bot.api.getMe()
  })
})

describe('a modified client', () => {
  const last = async () => (await bot.api.getUpdates()).at(-1)

  it('can send any callback data, for a message of another user or a deleted one', async () => {
    const group = await make<{ id: number }>('/api/chats', { title: 'Cats', members: [anna.id] })
    const there = anna.in(group.id)
    const { message_id } = await bot.api.sendMessage(group.id, 'for somebody else')
    await there.tapsData(message_id, 'x')
    expect((await last())?.callback_query).toMatchObject({
      data: 'x',
      message: { text: 'for somebody else' },
    })
    await bot.api.deleteMessage(group.id, message_id)
    await there.tapsData(message_id, 'y')
    const { message } = (await last())?.callback_query ?? {}
    expect(message).toEqual({ chat: expect.objectContaining({ id: group.id }), message_id, date: 0 })
    await expect(there.tapsData(message_id + 1, 'z')).rejects.toThrow('there was no message')
  })
})

describe('a message of a user', () => {
  const last = async () => (await bot.api.getUpdates()).at(-1)?.message

  it('reaches the bot with the position and formatting of a quote', async () => {
    await anna.sends('hi')
    const text = 'the cat and <b>the cat</b>'
    const { message_id } = await bot.api.sendMessage(11, text, { parse_mode: 'HTML' })
    await anna.sends('which?', { reply_to: message_id, quote: 'and the' })
    expect(await last()).toMatchObject({
      reply_to_message: { message_id },
      quote: { text: 'and the', position: 8, entities: [{ type: 'bold', offset: 4, length: 3 }] },
    })
    await expect(anna.sends('?', { reply_to: message_id, quote: 'dog' })).rejects.toThrow('does not contain')
  })
})

describe('a group', () => {
  it('delivers to the bot only messages that are for it', async () => {
    const group = await make<{ id: number }>('/api/chats', { title: 'Cats', members: [anna.id] })
    const there = anna.in(group.id)
    await there.sends('just talking')
    await there.sends('/video@another_bot a cat')
    await there.sends('/video a cat')
    const asked = await bot.api.sendMessage(group.id, 'How long?')
    await there.sends('10 s', { reply_to: asked.message_id })
    const texts = (await bot.api.getUpdates()).map((one) => one.message?.text)
    expect(texts).toEqual([undefined, '/video a cat', '10 s'])
  })

  it('with the bot as its administrator delivers every message', async () => {
    const cats = { title: 'Cats', members: [anna.id], admin: true }
    const group = await make<{ id: number }>('/api/chats', cats)
    await anna.in(group.id).sends('not for a bot')
    expect((await bot.api.getUpdates()).map((one) => one.message?.text)).toContain('not for a bot')
  })
})

describe('the command menu', () => {
  it('prefers the narrowest scope and the user’s language', async () => {
    const menu = async (language: string) =>
      (await fetch(`${local.url}/api/commands?chat_id=11&language_code=${language}`)).json()
    const video = (description: string) => [{ command: 'video', description }]
    await bot.api.setMyCommands(video('Make a video'))
    await bot.api.setMyCommands(video('Сделать видео'), { language_code: 'ru' })
    expect(await menu('ru')).toEqual(video('Сделать видео'))
    expect(await menu('de')).toEqual(video('Make a video'))
    await bot.api.setMyCommands(video('In private'), { scope: { type: 'all_private_chats' } })
    expect(await menu('ru')).toEqual(video('In private'))
    await bot.api.setMyCommands([], { scope: { type: 'all_private_chats' } })
    expect(await menu('ru')).toEqual(video('Сделать видео'))
    await expect(
      bot.api.setMyCommands(video('x').concat({ command: 'Video', description: 'x' })),
    ).rejects.toEqual(refused('Bad Request: BOT_COMMAND_INVALID'))
  })
})
