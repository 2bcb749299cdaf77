// Typical bots written with telegraf, against the local Telegram.

import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Input, Markup, Telegraf } from 'telegraf'
import { message } from 'telegraf/filters'
import { bold, fmt, link } from 'telegraf/format'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { token } from '../../support/telegram/local-telegram.ts'
import { openStage, png, type Stage } from '../../support/telegram/stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let stage: Stage
let anna: SandboxUser
let bot: Telegraf
let stop: (() => void) | undefined

beforeEach(async () => {
  stage = await openStage()
  anna = stage.anna
  bot = new Telegraf(token, { telegram: { apiRoot: stage.local.url } })
  bot.catch((error) => {
    throw error
  })
})
afterEach(async () => {
  stop?.()
  stop = undefined
  await stage.close()
})

/** Runs the bot by long polling until the test ends. */
async function launch(): Promise<void> {
  const launched = Promise.withResolvers<void>()
  void bot.launch(() => launched.resolve())
  await launched.promise
  stop = () => bot.stop()
}

/** Runs the bot by a webhook, whose responses contain calls of methods. */
async function launchWebhook(): Promise<void> {
  const url = await stage.listen(bot.webhookCallback('/hook', { secretToken: 'hush' }))
  await bot.telegram.setWebhook(`${url}/hook`, { secret_token: 'hush' })
}

describe('a bot of telegraf', () => {
  it('greets the user and echoes messages', async () => {
    bot.start((ctx) => ctx.reply(`Welcome, ${ctx.from.first_name}`))
    bot.help((ctx) => ctx.reply('Send me a sticker'))
    bot.hears('hi', (ctx) => ctx.reply('Hey there'))
    bot.on(message('text'), (ctx) => ctx.reply(ctx.message.text))
    await launch()
    await anna.sends('/start')
    await anna.sees('Welcome, Anna')
    await anna.sends('/help')
    await anna.sees('Send me a sticker')
    await anna.sends('hi')
    await anna.sees('Hey there')
    await anna.sends('a cat')
    await anna.sees('a cat')
  })

  it('counts the taps on an inline button', async () => {
    const keyboard = (taps: number) =>
      Markup.inlineKeyboard([Markup.button.callback(`Taps: ${taps}`, `tap ${taps}`)])
    bot.command('count', (ctx) => ctx.reply('Tap it', keyboard(0)))
    bot.action(/^tap (\d+)$/, async (ctx) => {
      const taps = Number(ctx.match[1]) + 1
      await ctx.answerCbQuery(`That makes ${taps}`)
      await ctx.editMessageText(`Tapped ${taps}`, keyboard(taps))
    })
    await launch()
    await anna.sends('/count')
    await anna.taps('Taps: 0')
    await anna.isTold('That makes 1')
    await anna.taps('Taps: 1')
    await anna.sees('Tapped 2')
  })

  it('shows a reply keyboard that asks for a contact, and removes it', async () => {
    bot.command('who', (ctx) =>
      ctx.reply('Who are you?', Markup.keyboard([Markup.button.contactRequest('My number')]).oneTime()),
    )
    bot.on(message('contact'), (ctx) =>
      ctx.reply(`Thanks, ${ctx.message.contact.phone_number}`, Markup.removeKeyboard()),
    )
    await launch()
    await anna.sends('/who')
    await anna.taps('My number')
    await anna.sees(/Thanks, \+7900/)
  })

  it('sends pictures by their address, from a file, a buffer and a stream, and by file id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'telegraf-'))
    const path = join(folder, 'кот.png')
    await writeFile(path, png)
    const url = await stage.pictureUrl()
    await anna.sends('hi')
    const { telegram } = bot
    const sent = await telegram.sendPhoto(11, Input.fromURL(url), { caption: 'by address' })
    await telegram.sendPhoto(11, sent.photo[0]?.file_id ?? '', { caption: 'by id' })
    await telegram.sendPhoto(11, Input.fromURLStream(url), { caption: 'downloaded' })
    await telegram.sendPhoto(11, Input.fromLocalFile(path), { caption: 'from a file' })
    await telegram.sendPhoto(11, Input.fromBuffer(png), { caption: 'from a buffer' })
    await telegram.sendPhoto(11, { source: createReadStream(path) }, { caption: 'from a stream' })
    const { document } = await telegram.sendDocument(11, Input.fromLocalFile(path, 'кот.png'))
    await rm(folder, { recursive: true })
    expect(document.file_name).toBe('кот.png')
    const captions = (await anna.chat()).flatMap((one) => (one.photo ? [one.caption] : []))
    expect(captions).toEqual([
      'by address',
      'by id',
      'downloaded',
      'from a file',
      'from a buffer',
      'from a stream',
    ])
  })

  it('sends an album', async () => {
    await anna.sends('hi')
    const album = await bot.telegram.sendMediaGroup(11, [
      { type: 'photo', media: Input.fromURL(await stage.pictureUrl()), caption: 'one' },
      { type: 'photo', media: Input.fromBuffer(png, 'two.png') },
    ])
    expect(new Set(album.map((one) => 'media_group_id' in one && one.media_group_id)).size).toBe(1)
  })

  it('downloads a file of the user', async () => {
    bot.on(message('document'), async (ctx) => {
      const address = await ctx.telegram.getFileLink(ctx.message.document.file_id)
      await ctx.reply(`It says: ${await (await fetch(address)).text()}`)
    })
    await launch()
    await anna.sendsFile({ name: 'a.txt', bytes: Buffer.from('hello') })
    await anna.sees('It says: hello')
  })

  it('formats text by MarkdownV2, HTML and entities', async () => {
    bot.command('format', async (ctx) => {
      await ctx.replyWithMarkdownV2('*bold* and __under__\\.')
      await ctx.replyWithHTML('<i>italic</i>')
      await ctx.reply(fmt`${bold`strong`} ${link('site', 'https://example.com/')}`)
      await ctx.replyWithMarkdownV2('Costs 1.5').catch((error: Error) => ctx.reply(error.message))
    })
    await launch()
    await anna.sends('/format')
    await anna.sees(/reserved/)
    const texts = (await anna.chat()).filter((one) => one.from?.is_bot)
    expect(texts.map((one) => [one.text, one.entities?.map(({ type }) => type)])).toEqual([
      ['bold and under.', ['bold', 'underline']],
      ['italic', ['italic']],
      ['strong site', ['bold', 'text_link']],
      [
        "400: Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
        undefined,
      ],
    ])
  })

  it('sends texts and pictures in its responses to webhook requests', async () => {
    bot.command('text', (ctx) => ctx.reply('in the answer'))
    bot.command('picture', (ctx) =>
      ctx.replyWithPhoto(Input.fromBuffer(png), { caption: 'uploaded in the answer' }),
    )
    await launchWebhook()
    await anna.sends('/text')
    await anna.sees('in the answer')
    await anna.sends('/picture')
    const seen = await anna.sees('uploaded in the answer')
    expect(seen.photo).toHaveLength(1)
  })

  it('sells goods that are shipped', async () => {
    const paid: unknown[] = []
    bot.command('buy', (ctx) =>
      ctx.replyWithInvoice({
        title: 'Mug',
        description: 'A mug with a cat',
        payload: 'mug',
        provider_token: '1:TEST:x',
        currency: 'EUR',
        prices: [{ label: 'Mug', amount: 1000 }],
        need_name: true,
        is_flexible: true,
        need_shipping_address: true,
      }),
    )
    bot.on('shipping_query', (ctx) =>
      ctx.answerShippingQuery(
        true,
        [
          { id: 'slow', title: 'Slow', prices: [{ label: 'Slow', amount: 100 }] },
          { id: 'fast', title: 'Fast', prices: [{ label: 'Fast', amount: 900 }] },
        ],
        undefined,
      ),
    )
    bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true))
    bot.on(message('successful_payment'), async (ctx) => {
      paid.push(ctx.message)
      await ctx.reply('Thanks')
    })
    await launch()
    await anna.sends('/buy')
    const invoice = await anna.sees((one) => one.invoice !== undefined)
    expect(await anna.pays(invoice, { shipping_option: 'fast' })).toMatchObject({ ok: true })
    await anna.sees('Thanks')
    expect(paid).toMatchObject([
      {
        successful_payment: {
          total_amount: 1900,
          shipping_option_id: 'fast',
          order_info: { name: 'Anna', shipping_address: { city: 'Moscow' } },
        },
      },
    ])
  })

  it('sends a poll, reacts to messages, and forwards, pins and deletes them', async () => {
    const answers: number[][] = []
    bot.on('poll_answer', async (ctx) => {
      answers.push(ctx.pollAnswer.option_ids)
      await ctx.telegram.sendMessage(ctx.pollAnswer.user?.id ?? 0, 'counted')
    })
    bot.on(message('text'), async (ctx) => {
      await ctx.react('👍')
      await ctx.forwardMessage(ctx.chat.id)
      await ctx.pinChatMessage(ctx.message.message_id)
      await ctx.replyWithPoll('Cats?', ['Yes', 'No'], { is_anonymous: false })
      await ctx.replyWithDice()
      await ctx.replyWithLocation(1, 2)
      await ctx.deleteMessage()
    })
    await launch()
    const said = await anna.sends('vote')
    const poll = await anna.sees((one) => one.poll !== undefined)
    await anna.votes(poll, 1)
    await anna.sees('counted')
    expect(answers).toEqual([[1]])
    await anna.sees((one) => one.location !== undefined)
    await anna.sees((one) => one.dice !== undefined)
    const forwarded = await anna.sees('vote')
    expect(forwarded.forward_origin).toMatchObject({ type: 'user', sender_user: { id: 11 } })
    expect(said.message_id).toBeLessThan(forwarded.message_id)
  })
})
