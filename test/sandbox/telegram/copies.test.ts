// The local Telegram: copied messages, replaced media and quotes in replies.

import { type Bot, InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let vera: SandboxUser

beforeEach(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  vera = await createUser(local.url, { first_name: 'Vera', id: 12 })
  await anna.sends('hi')
  await vera.sends('hi')
})
afterEach(() => local.discard())

const refused = (text: string) => expect.objectContaining({ description: `Bad Request: ${text}` })
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const opus = Buffer.alloc(200)
opus.write('OggS\0\0\0\0OpusHead', 'latin1')
const picture = () => new InputFile(png, 'dot.png')
const voice = () => new InputFile(opus, 'word.ogg')
const button = new InlineKeyboard().text('More', 'more')
const newest = async (user: SandboxUser) => (await user.chat()).at(-1)
const HTML = { parse_mode: 'HTML' } as const

describe('a copy of one message', () => {
  it('has the same text and formatting, without the keyboard', async () => {
    const { message_id } = await bot.api.sendMessage(11, '<b>News</b>', { ...HTML, reply_markup: button })
    const copy = await bot.api.copyMessage(12, 11, message_id)
    const shown = await newest(vera)
    expect(shown).toMatchObject({ ...copy, text: 'News', entities: [{ type: 'bold', offset: 0, length: 4 }] })
    expect(shown).not.toHaveProperty('reply_markup')
    await bot.api.copyMessage(12, 11, message_id, { reply_markup: button })
    expect(await newest(vera)).toMatchObject({ reply_markup: button })
  })

  it('can be made of a message that a user sent', async () => {
    const { message_id } = await anna.sendsFile({ name: 'dot.png', bytes: png }, 'mine')
    await bot.api.copyMessage(12, 11, message_id)
    expect(await newest(vera)).toMatchObject({ caption: 'mine', from: { is_bot: true } })
  })

  it('is refused for unknown messages, for invoices, and for users who blocked the bot', async () => {
    const copy = (id: number, to = 12, from = 11) => bot.api.copyMessage(to, from, id)
    await expect(copy(99)).rejects.toEqual(refused('message to copy not found'))
    await expect(copy(1, 12, 404)).rejects.toEqual(refused('chat not found'))
    const prices = [{ label: 'Stars', amount: 10 }]
    const invoice = await bot.api.sendInvoice(11, 'Ten', 'Ten stars', 'ten', 'XTR', prices)
    await expect(copy(invoice.message_id)).rejects.toEqual(refused("the message can't be copied"))
    await vera.blocks()
    await expect(copy(1)).rejects.toMatchObject({ error_code: 403 })
    expect(await copy(1, 11, 12)).toEqual({ message_id: 3 })
  })
})

describe('media that replace the media of a message', () => {
  const replace = (id: number, media: Parameters<typeof bot.api.editMessageMedia>[2], other = {}) =>
    bot.api.editMessageMedia(11, id, media, other)

  it('have their own caption and keyboard; the old ones are removed', async () => {
    const { message_id } = await bot.api.sendPhoto(11, picture(), { caption: 'May', reply_markup: button })
    await replace(message_id, InputMediaBuilder.photo(picture()))
    const bare = await newest(anna)
    expect(bare).toMatchObject({ message_id, photo: expect.anything(), edit_date: expect.any(Number) })
    expect([bare?.caption, bare?.reply_markup]).toEqual([undefined, undefined])
    const june = InputMediaBuilder.photo(picture(), { caption: '<b>June</b>', ...HTML })
    await replace(message_id, june, { reply_markup: button })
    expect(await newest(anna)).toMatchObject({ caption: 'June', reply_markup: button })
  })

  it('are refused when nothing changes', async () => {
    const { message_id, photo } = await bot.api.sendPhoto(11, picture(), { caption: 'May' })
    const same = InputMediaBuilder.photo(photo.at(-1)?.file_id ?? '', { caption: 'May' })
    await expect(replace(message_id, same)).rejects.toMatchObject({
      description: expect.stringContaining('message is not modified'),
    })
  })

  it('are refused for voice messages, for messages of users, and for missing messages', async () => {
    const dot = () => InputMediaBuilder.photo(picture())
    const said = await bot.api.sendVoice(11, voice())
    await expect(replace(said.message_id, dot())).rejects.toEqual(refused("message media can't be edited"))
    await expect(replace(1, dot())).rejects.toEqual(refused("message media can't be edited"))
    await expect(replace(99, dot())).rejects.toEqual(refused('message to edit not found'))
  })
})

describe('a quote in a reply', () => {
  const text = 'the cat and <b>the cat</b>'

  it('by a user reaches the bot with its position and formatting', async () => {
    const { message_id } = await bot.api.sendMessage(11, text, HTML)
    await anna.sends('which?', { reply_to: message_id, quote: 'and the' })
    const update = (await bot.api.getUpdates()).at(-1)
    expect(update?.message).toMatchObject({
      text: 'which?',
      reply_to_message: { message_id },
      quote: {
        text: 'and the',
        position: 8,
        is_manual: true,
        entities: [{ type: 'bold', offset: 4, length: 3 }],
      },
    })
    await expect(anna.sends('?', { reply_to: message_id, quote: 'dog' })).rejects.toThrow('does not contain')
  })
})
