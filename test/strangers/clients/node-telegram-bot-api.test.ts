// Typical bots written with node-telegram-bot-api, against the local Telegram.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Bot,
  EntityBuilder,
  InlineKeyboardBuilder,
  InputFile,
  MediaGroupBuilder,
  ReplyKeyboardBuilder,
} from 'node-telegram-bot-api'
import { createWebhookServer, fromPath } from 'node-telegram-bot-api/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { token } from '../../support/telegram/local-telegram.ts'
import { openStage, png, type Stage } from '../../support/telegram/stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let stage: Stage
let anna: SandboxUser
let bot: Bot
let polling: Promise<void> | undefined

beforeEach(async () => {
  stage = await openStage()
  anna = stage.anna
  bot = new Bot(token, { apiRoot: stage.local.url })
  bot.catch((error) => {
    throw error
  })
})
afterEach(async () => {
  bot.stop()
  await polling
  polling = undefined
  await stage.close()
})

const start = () => {
  polling = bot.startPolling()
}

describe('a bot of node-telegram-bot-api', () => {
  it('echoes messages, and answers taps on an inline button', async () => {
    bot.command('start', (ctx) => ctx.reply('Hi! Send me anything.'))
    bot.hears(/^echo (.+)/, (ctx) => ctx.reply(String(ctx.match?.[1])))
    bot.on('message', (ctx) =>
      ctx.reply('Pick one:', {
        reply_markup: new InlineKeyboardBuilder().text('👍', 'up').text('👎', 'down').build(),
      }),
    )
    bot.on('callback_query', async (ctx) => {
      await ctx.answerCallbackQuery({ text: `You tapped ${ctx.callbackQuery?.data}` })
      await ctx.api.editMessageText({
        chat_id: 11,
        message_id: ctx.callbackQuery?.message?.message_id ?? 0,
        text: 'Noted',
      })
    })
    start()
    await anna.sends('/start')
    await anna.sees('Hi! Send me anything.')
    await anna.sends('echo a cat')
    await anna.sees('a cat')
    await anna.sends('something')
    await anna.taps('👍')
    await anna.isTold('You tapped up')
    await anna.sees('Noted')
  })

  it('asks for a location by a reply keyboard', async () => {
    const keyboard = new ReplyKeyboardBuilder().requestLocation('Here').build({ resize_keyboard: true })
    bot.command('where', (ctx) => ctx.reply('Where are you?', { reply_markup: keyboard }))
    bot.on('message', (ctx) => ctx.reply(`At ${ctx.message?.location?.latitude}`))
    start()
    await anna.sends('/where')
    await anna.taps('Here')
    await anna.sees('At 55.7539')
  })

  it('uploads files from the disk, from bytes and from a stream, and an album', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ntba-'))
    const path = join(folder, 'кот "1".png')
    await writeFile(path, png)
    await anna.sends('hi')
    const photo = await bot.api.sendPhoto({
      chat_id: 11,
      photo: await fromPath(path),
      caption: 'from the disk',
    })
    expect(photo.photo).toHaveLength(1)
    const { document } = await bot.api.sendDocument({ chat_id: 11, document: await fromPath(path) })
    await rm(folder, { recursive: true })
    expect(document?.file_name).toBe('кот "1".png')
    const stream = new InputFile(() => new Blob([png]).stream(), { filename: 'stream.png' })
    await bot.api.sendPhoto({ chat_id: 11, photo: stream })
    await bot.api.sendPhoto({ chat_id: 11, photo: await stage.pictureUrl() })
    const album = new MediaGroupBuilder()
      .photo({ media: new InputFile(png, { filename: 'a.png' }), caption: 'A' })
      .photo({ media: await stage.pictureUrl() })
      .build()
    expect(await bot.api.sendMediaGroup({ chat_id: 11, media: album })).toHaveLength(2)
  })

  it('downloads a file of the user', async () => {
    const sent = await anna.sendsFile({ name: 'a.txt', bytes: Buffer.from('hello') })
    const { file_path } = await bot.api.getFile({ file_id: sent.document?.file_id ?? '' })
    const file = await fetch(`${stage.local.url}/file/bot${token}/${file_path}`)
    expect(await file.text()).toBe('hello')
  })

  it('formats text by entities, Markdown and MarkdownV2', async () => {
    await anna.sends('hi')
    const built = new EntityBuilder()
      .plain('Hello ')
      .bold('world')
      .link('docs', 'https://example.com/')
      .build()
    const { entities } = await bot.api.sendMessage({ chat_id: 11, ...built })
    expect(entities?.map(({ type }) => type)).toEqual(['bold', 'text_link'])
    const send = (text: string, parse_mode: 'Markdown' | 'MarkdownV2') =>
      bot.api.sendMessage({ chat_id: 11, text, parse_mode })
    expect(await send('*bold* 1.5', 'Markdown')).toMatchObject({ text: 'bold 1.5' })
    expect(await send('||secret|| 1\\.5', 'MarkdownV2')).toMatchObject({ text: 'secret 1.5' })
    await expect(send('_open', 'MarkdownV2')).rejects.toThrow(
      "can't parse entities: Can't find end of Italic entity at byte offset 0",
    )
  })

  it('receives updates by a webhook', async () => {
    bot.on('message', (ctx) => ctx.reply(`You said ${ctx.message?.text}`))
    const server = createWebhookServer(bot, { path: '/hook', secretToken: 'hush' })
    const url = await stage.listen((req, res) => server.emit('request', req, res))
    await bot.api.setWebhook({ url: `${url}/hook`, secret_token: 'hush' })
    await anna.sends('hi')
    await anna.sees('You said hi')
  })

  it('sells goods that are shipped', async () => {
    bot.command('buy', (ctx) =>
      ctx.api.sendInvoice({
        chat_id: 11,
        title: 'Mug',
        description: 'A mug with a cat',
        payload: 'mug',
        provider_token: '1:TEST:x',
        currency: 'EUR',
        prices: [{ label: 'Mug', amount: 1000 }],
        is_flexible: true,
        need_shipping_address: true,
      }),
    )
    bot.on('shipping_query', async ({ api, update }) => {
      if (!('shipping_query' in update)) return
      await api.answerShippingQuery({
        shipping_query_id: update.shipping_query.id,
        ok: true,
        shipping_options: [{ id: 'post', title: 'Post', prices: [{ label: 'Post', amount: 100 }] }],
      })
    })
    bot.on('pre_checkout_query', async ({ api, update }) => {
      if (!('pre_checkout_query' in update)) return
      await api.answerPreCheckoutQuery({ pre_checkout_query_id: update.pre_checkout_query.id, ok: true })
    })
    bot.on('message', (ctx) => ctx.reply(`Paid ${ctx.message?.successful_payment?.total_amount}`))
    start()
    await anna.sends('/buy')
    await anna.pays(await anna.sees((one) => one.invoice !== undefined))
    await anna.sees('Paid 1100')
  })
})
