// Typical bots written with stock grammY, against the local Telegram: features that our own bot does not use.

import { Bot, InlineKeyboard, InputFile, InputMediaBuilder, Keyboard, webhookCallback } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { token } from '../../support/telegram/local-telegram.ts'
import { openStage, png, type Stage } from '../../support/telegram/stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let stage: Stage
let anna: SandboxUser
let bot: Bot

beforeEach(async () => {
  stage = await openStage()
  anna = stage.anna
  bot = stage.local.bot()
})
afterEach(async () => {
  await bot.stop()
  await stage.close()
})

const start = () => new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }))

describe('a bot of grammY', () => {
  it('calls a method in its response to a webhook request', async () => {
    const hooked = new Bot(token, {
      client: { apiRoot: stage.local.url, canUseWebhookReply: (method) => method === 'sendMessage' },
    })
    hooked.command('start', (ctx) => ctx.reply('in the answer'))
    const url = await stage.listen(webhookCallback(hooked, 'http'))
    await bot.api.setWebhook(url)
    await anna.sends('/start')
    await anna.sees('in the answer')
  })

  it('shows a menu whose inline buttons replace each other', async () => {
    const menu = (page: number) => new InlineKeyboard().text('<', `${page - 1}`).text('>', `${page + 1}`)
    bot.command('menu', (ctx) => ctx.reply('Page 1', { reply_markup: menu(1) }))
    bot.callbackQuery(/^\d+$/, async (ctx) => {
      const page = Number(ctx.callbackQuery.data)
      await ctx.answerCallbackQuery()
      await ctx.editMessageText(`Page ${page}`, { reply_markup: menu(page) })
    })
    await start()
    await anna.sends('/menu')
    await anna.taps('>')
    await anna.sees('Page 2')
  })

  it('formats text by MarkdownV2', async () => {
    bot.command('format', (ctx) => ctx.reply('*bold _both_* `code`', { parse_mode: 'MarkdownV2' }))
    await start()
    await anna.sends('/format')
    const { entities } = await anna.sees('bold both code')
    expect(entities?.map(({ type }) => type)).toEqual(['bold', 'italic', 'code'])
  })

  it('sends an album from bytes, an address and a download, and edits its media', async () => {
    await anna.sends('hi')
    const url = await stage.pictureUrl()
    const [first] = await bot.api.sendMediaGroup(11, [
      InputMediaBuilder.photo(new InputFile(png, 'one.png')),
      InputMediaBuilder.photo(url),
      InputMediaBuilder.photo(new InputFile(new URL(url))),
    ])
    const edited = await bot.api.editMessageMedia(11, first?.message_id ?? 0, {
      type: 'photo',
      media: new InputFile(png),
      caption: 'new',
    })
    expect(edited).toMatchObject({ caption: 'new' })
  })

  it('gets updates about reactions if it asks for them', async () => {
    const { message_id } = await anna.sends('hi').then(() => bot.api.sendMessage(11, 'Like it?'))
    bot.reaction('👍', (ctx) => ctx.reply('Thanks!'))
    const allowed_updates = ['message', 'message_reaction'] as const
    // The kinds of updates are requested before the start, which resolves before the first poll has reached Telegram.
    await bot.api.getUpdates({ allowed_updates })
    await new Promise<void>((resolve) => void bot.start({ allowed_updates, onStart: () => resolve() }))
    await anna.reacts({ message_id }, '👍')
    await anna.sees('Thanks!')
  })

  it('asks for a contact by a reply keyboard', async () => {
    bot.command('who', (ctx) => ctx.reply('Who?', { reply_markup: new Keyboard().requestContact('Me') }))
    bot.on(':contact', (ctx) => ctx.reply(`Hello, ${ctx.msg.contact.first_name}`))
    await start()
    await anna.sends('/who')
    await anna.taps('Me')
    await anna.sees('Hello, Anna')
  })
})
