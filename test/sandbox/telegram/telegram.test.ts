// The local Telegram: messages of users and of the bot, files, drafts, groups, scripted faults, and a restart.

import { type Bot, InputFile, InputMediaBuilder } from 'grammy'
import type { InlineQueryResult, MessageEntity } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../../src/sandbox/telegram/index.ts'
import { colored } from '../../support/media/media-files.ts'
import { type HandClock, handClock } from '../../support/runtime/clock.ts'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let clock: HandClock

beforeEach(async () => {
  clock = handClock()
  local = await startTelegram({ clock })
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterEach(() => local.discard())

const post = (path: string, body: unknown) =>
  fetch(local.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const refused = (text: string) => expect.objectContaining({ description: text })
const lastUpdate = async () => (await bot.api.getUpdates()).at(-1)
const textsOfUpdates = async () => (await bot.api.getUpdates()).map((one) => one.message?.text)
async function group(more: object = {}) {
  const answer = await post('/api/chats', { title: 'Cats', members: [anna.id], ...more })
  const { id }: { id: number } = JSON.parse(await answer.text())
  return { id, there: anna.in(id) }
}

describe('a text', () => {
  const at = (type: MessageEntity['type'], offset: number, length: number, more: object = {}) => ({
    type,
    offset,
    length,
    ...more,
  })

  it('in HTML becomes a text and entities with UTF-16 offsets', async () => {
    const rows = [
      ['<b>bold</b> &amp; <i>it</i>', 'bold & it', [at('bold', 0, 4), at('italic', 7, 2)]],
      ['🐱🐱 <b>cat</b>', '🐱🐱 cat', [at('bold', 5, 3)]],
      ['<b>a<i>b</i></b>', 'ab', [at('bold', 0, 2), at('italic', 1, 1)]],
      [
        '<a href="http://a.com/x?a=1&amp;b=2">x</a>',
        'x',
        [at('text_link', 0, 1, { url: 'http://a.com/x?a=1&b=2' })],
      ],
      ['<a href="http://localhost/x">no dot, no link</a>', 'no dot, no link', undefined],
      [
        '<a href="tg://user?id=11">Anna</a>',
        'Anna',
        [at('text_mention', 0, 4, { user: expect.objectContaining({ id: 11 }) })],
      ],
      [
        '<tg-time unix="1795823451" format="wDT">soon</tg-time>',
        'soon',
        [at('date_time', 0, 4, { unix_time: 1795823451, date_time_format: 'wDT' })],
      ],
      ['<code>/notcommand</code>', '/notcommand', [at('code', 0, 11)]],
      ['<blockquote expandable>long</blockquote>', 'long', [at('expandable_blockquote', 0, 4)]],
      [
        '<tg-spoiler>s</tg-spoiler><span class="tg-spoiler">t</span>',
        'st',
        [at('spoiler', 0, 1), at('spoiler', 1, 1)],
      ],
      ['&lt;tag&gt; &#33; &nbsp; &quot;', '<tag> ! &nbsp; "', undefined],
      ['  \n<b></b>x  \n', 'x', undefined],
      ['<b> x </b>', ' x', [at('bold', 0, 2)]],
      [
        '/video a #cat by @anna_k',
        '/video a #cat by @anna_k',
        [at('bot_command', 0, 6), at('hashtag', 9, 4), at('mention', 17, 7)],
      ],
      ['see https://example.com/a.', 'see https://example.com/a.', [at('url', 4, 21)]],
      [`<b>${'я'.repeat(4096)}</b>`, 'я'.repeat(4096), [at('bold', 0, 4096)]],
    ] as const
    const sent = []
    for (const [source] of rows) {
      const { text, entities } = await bot.api.sendMessage(anna.id, source, { parse_mode: 'HTML' })
      sent.push([source, text, entities])
    }
    expect(sent).toEqual(rows)
  })

  it('of a user can quote, with the position and formatting of the quote', async () => {
    const text = 'the cat and <b>the cat</b>'
    const { message_id } = await bot.api.sendMessage(11, text, { parse_mode: 'HTML' })
    await anna.sends('which?', { reply_to: message_id, quote: 'and the' })
    expect((await lastUpdate())?.message).toMatchObject({
      reply_to_message: { message_id },
      quote: { text: 'and the', position: 8, entities: [{ type: 'bold', offset: 4, length: 3 }] },
    })
    await expect(anna.sends('?', { reply_to: message_id, quote: 'dog' })).rejects.toThrow('does not contain')
  })
})

describe('users', () => {
  it('are not written to before they have started the bot, or while they block it', async () => {
    await createUser(local.url, { first_name: 'Boris', id: 12 })
    await expect(bot.api.sendMessage(12, 'hi')).rejects.toEqual(refused('Bad Request: chat not found'))
    const write = () => bot.api.sendMessage(anna.id, 'hi')
    await write()
    await anna.blocks()
    const description = 'Forbidden: bot was blocked by the user'
    await expect(write()).rejects.toMatchObject({ error_code: 403, description })
    expect((await lastUpdate())?.my_chat_member?.new_chat_member.status).toBe('kicked')
    await anna.blocks(false)
    await write()
  })

  it('can tap with any callback data, on a message of somebody else or a deleted one', async () => {
    const { id, there } = await group()
    const { message_id } = await bot.api.sendMessage(id, 'for somebody else')
    await there.tapsData(message_id, 'x')
    expect((await lastUpdate())?.callback_query).toMatchObject({
      data: 'x',
      message: { text: 'for somebody else' },
    })
    await bot.api.deleteMessage(id, message_id)
    await there.tapsData(message_id, 'y')
    const { message } = (await lastUpdate())?.callback_query ?? {}
    expect(message).toEqual({ chat: expect.objectContaining({ id }), message_id, date: 0 })
    await expect(there.tapsData(message_id + 1, 'z')).rejects.toThrow('there was no message')
  })
})

it('a group delivers to the bot only messages that are for it, to its administrator every message', async () => {
  const { id, there } = await group()
  await there.sends('just talking')
  await there.sends('/video@another_bot a cat')
  await there.sends('/video a cat')
  const asked = await bot.api.sendMessage(id, 'How long?')
  await there.sends('10 s', { reply_to: asked.message_id })
  expect(await textsOfUpdates()).toEqual(['hi', undefined, '/video a cat', '10 s'])
  const led = await group({ admin: true })
  await led.there.sends('not for a bot')
  expect(await textsOfUpdates()).toContain('not for a bot')
})

it('the command menu prefers the narrowest scope and the language of the user', async () => {
  const menu = async (language: string) =>
    (await fetch(`${local.url}/api/commands?chat_id=11&language_code=${language}`)).json()
  const video = (description: string) => [{ command: 'video', description }]
  await bot.api.setMyCommands(video('Make a video'))
  await bot.api.setMyCommands(video('Сделать видео'), { language_code: 'ru' })
  expect([await menu('ru'), await menu('de')]).toEqual([video('Сделать видео'), video('Make a video')])
  await bot.api.setMyCommands(video('In private'), { scope: { type: 'all_private_chats' } })
  expect(await menu('ru')).toEqual(video('In private'))
  await bot.api.setMyCommands([], { scope: { type: 'all_private_chats' } })
  expect(await menu('ru')).toEqual(video('Сделать видео'))
})

describe('a draft', () => {
  const shown = async () => (await anna.drafts()).map((draft) => draft.text)
  function listen(): ChatEvent[] {
    const events: ChatEvent[] = []
    local.telegram.on((event) => void events.push(event))
    return events
  }

  it('is formatted, updated under its id, replaced under another one, and no message', async () => {
    const events = listen()
    await bot.api.sendMessageDraft(11, 7, 'Once')
    await bot.api.sendMessageDraft(11, 7, '<b>Once</b> upon', { parse_mode: 'HTML', can_stop: true })
    const entities = [{ type: 'bold', offset: 0, length: 4 }]
    const draft = { draft_id: 7, text: 'Once upon', entities, can_stop: true }
    expect(await anna.drafts()).toEqual([draft])
    await bot.api.sendMessageDraft(11, 8, 'Never')
    expect(await shown()).toEqual(['Never'])
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['draft', { draft_id: 7, text: 'Once', entities: [] }],
      ['draft', draft],
      ['draft_ended', { draft_id: 7 }],
      ['draft', { draft_id: 8, text: 'Never', entities: [] }],
    ])
    expect(await anna.transcript()).toBe('Anna: hi')
  })

  it('ends 30 seconds after its last update', async () => {
    for (const text of ['one', 'one, two']) {
      await bot.api.sendMessageDraft(11, 7, text)
      await clock.asked(30_000)
      clock.advance(29_999)
    }
    expect(await shown()).toEqual(['one, two'])
    const events = listen()
    clock.advance(1)
    expect(await shown()).toEqual([])
    expect(events).toEqual([{ type: 'draft_ended', chat_id: 11, data: { draft_id: 7 } }])
  })

  it('ends with any message of the bot, but not with an edit or a message of the user', async () => {
    await bot.api.sendMessageDraft(11, 7, 'one')
    await anna.sends('go on')
    expect(await shown()).toEqual(['one'])
    const events = listen()
    const { message_id } = await bot.api.sendMessage(11, 'one, two')
    expect(events.map(({ type }) => type)).toEqual(['message', 'draft_ended'])
    await bot.api.sendMessageDraft(11, 7, 'three')
    await bot.api.editMessageText(11, message_id, 'one and two')
    expect(await shown()).toEqual(['three'])
    await bot.api.copyMessage(11, 11, message_id)
    expect(await shown()).toEqual([])
  })

  it('with Stop can be stopped by its id, of which the bot is told', async () => {
    const stop = (body: object) => post('/api/chats/11/stop', { from: 11, ...body })
    await bot.api.sendMessageDraft(11, 7, 'one')
    expect((await stop({})).status).toBe(404)
    await bot.api.sendMessageDraft(11, 7, 'one', { can_stop: true })
    const error = 'no draft 8 with a Stop button is in this chat now'
    expect(await (await stop({ draft_id: 8 })).json()).toEqual({ error })
    expect(await anna.stops()).toMatchObject({ draft_id: 7, text: 'one' })
    expect(await anna.drafts()).toEqual([])
    expect(await lastUpdate()).toMatchObject({
      stopped_message_generation: { chat: { id: 11 }, draft_id: 7 },
    })
  })
})

describe('files', () => {
  const file = (text: string, name: string) => {
    const bytes = Buffer.alloc(200)
    bytes.write(text, 'latin1')
    return new InputFile(bytes, name)
  }
  const mp4 = () => file('\0\0\0\x18ftypisom', 'cat.mp4')
  const png = async (width: number, height: number) =>
    new InputFile(await colored(width, height, [1, 2, 3]).png().toBuffer(), 'x.png')

  it('keep the stated attributes and the thumbnail of a video, which is served in byte ranges', async () => {
    const stated = { width: 640, height: 480, duration: 10 }
    const thumbnail = await png(320, 240)
    const { video } = await bot.api.sendVideo(anna.id, mp4(), { ...stated, caption: 'Cat', thumbnail })
    expect(video).toMatchObject({ ...stated, mime_type: 'video/mp4', file_size: 200 })
    expect(video.thumbnail).toMatchObject({ width: 320, height: 240 })
    expect((await bot.api.sendVideo(anna.id, video.file_id)).video).toEqual(video)
    const part = await fetch(`${local.url}/api/files/${video.file_id}`, { headers: { range: 'bytes=4-7' } })
    const headers = ['content-range', 'content-type'].map((name) => part.headers.get(name))
    expect([part.status, ...headers, await part.text()]).toEqual([206, 'bytes 4-7/200', 'video/mp4', 'ftyp'])
  })

  it('in an unsupported format become documents', async () => {
    const video = await bot.api.sendVideo(anna.id, file('\x1aE\xdf\xa3\0\0\0\0webm', 'cat.webm'))
    expect(video).toMatchObject({ document: { mime_type: 'video/webm', file_name: 'cat.webm' } })
    expect(video.video).toBeUndefined()
    const wav = file('RIFF\0\0\0\0WAVE', 'cat.wav')
    expect(await bot.api.sendVoice(anna.id, wav)).toMatchObject({ document: { mime_type: 'audio/wav' } })
    const opus = file('OggS\0\0\0\0OpusHead', 'cat.ogg')
    expect(await bot.api.sendVoice(anna.id, opus, { duration: 3 })).toMatchObject({
      voice: { duration: 3, mime_type: 'audio/ogg' },
    })
  })

  it('can replace a text in the same message, which can then be copied', async () => {
    const { message_id } = await bot.api.sendMessage(anna.id, 'Generating…')
    await bot.api.editMessageMedia(anna.id, message_id, InputMediaBuilder.video(mp4(), { caption: 'Done' }))
    const shown = await anna.sees('Done')
    expect(shown).toMatchObject({ message_id, video: { mime_type: 'video/mp4' } })
    expect(shown.text).toBeUndefined()
    await bot.api.copyMessage(anna.id, anna.id, message_id)
    expect((await anna.chat()).at(-1)).toMatchObject({ caption: 'Done', video: shown.video })
    const { photo } = await bot.api.sendPhoto(anna.id, await png(64, 64))
    const edit = (id: number) =>
      bot.api.editMessageMedia(anna.id, id, InputMediaBuilder.photo(photo[0]?.file_id ?? ''))
    await edit(message_id)
    expect((await anna.chat()).find((one) => one.message_id === message_id)).not.toHaveProperty('caption')
    await expect(edit(message_id)).rejects.toThrow('message is not modified')
  })

  it('and chats, unconfirmed updates and settings are there after a restart', async () => {
    // The clock does not move, so the state is written only by the stop.
    await local.stop()
    const before = await startTelegram({ folder: local.folder, clock: handClock(new Date()) })
    const user = await createUser(before.url, { first_name: 'Vera', id: 12 })
    await user.sends('remember me')
    const { video } = await before.bot().api.sendVideo(12, mp4())
    await before.bot().api.setMyCommands([{ command: 'video', description: 'Make a video' }])
    await before.stop()
    local = await startTelegram({ folder: local.folder, seed: 2 })
    const after = local.bot().api
    const vera = await createUser(local.url, { first_name: 'Vera', id: 12 })
    expect(await vera.transcript()).toBe('Vera: remember me\nSandbox bot: <video> ')
    expect((await after.sendVideo(12, video.file_id)).message_id).toBe(3)
    expect((await fetch(`${local.url}/api/files/${video.file_id}`)).status).toBe(200)
    expect((await after.getUpdates()).at(-1)?.message?.text).toBe('remember me')
    expect(await after.getMyCommands()).toHaveLength(1)
  })
})

it('the chosen result of an inline query is sent with via_bot, also into a group', async () => {
  const { id, there } = await group()
  const article: InlineQueryResult = {
    type: 'article',
    id: 'a',
    title: 'A',
    input_message_content: { message_text: '<b>Text</b>', parse_mode: 'HTML' },
  }
  const asked = there.asksInline('cat')
  await expect.poll(async () => (await lastUpdate())?.inline_query?.query).toBe('cat')
  await bot.api.answerInlineQuery((await lastUpdate())?.inline_query?.id ?? '', [article])
  const sent = await there.chooses(await asked, 'a')
  expect(sent).toMatchObject({ from: { id: 11 }, via_bot: { id: 700000001 }, text: 'Text' })
  expect((await lastUpdate())?.message).toMatchObject({ chat: { id }, text: 'Text' })
  const { query_id } = await asked
  const stranger = await post(`/api/chats/${id}/choices`, { from: 12, query_id, result_id: 'a' })
  expect(await stranger.json()).toHaveProperty('error')
})

it('a scripted fault sends an error with its parameters; for any method it does not affect getUpdates', async () => {
  const send = () => bot.api.sendMessage(anna.id, 'x')
  const fault = (one: object, operation = 'sendMessage') =>
    post('/api/faults', { target: 'telegram', operation, fault: { kind: 'error', ...one } })
  await fault({ status: 429, retryAfter: 3 })
  await expect(send()).rejects.toMatchObject({ error_code: 429, parameters: { retry_after: 3 } })
  await fault({ status: 400, migrateTo: -100 })
  await expect(send()).rejects.toMatchObject({ parameters: { migrate_to_chat_id: -100 } })
  await fault({ status: 400, description: 'Bad Request: no' })
  await expect(send()).rejects.toMatchObject({ description: 'Bad Request: no', parameters: {} })
  await send()
  await fault({ status: 500 }, '*')
  expect(await bot.api.getUpdates()).toHaveLength(1)
  await expect(bot.api.getMe()).rejects.toMatchObject({ error_code: 500 })
  await bot.api.getMe()
})
