// Texts of the local Telegram: HTML, entities and limits.

import type { Bot } from 'grammy'
import type { MessageEntity } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

beforeAll(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('/start')
})
afterAll(() => local.discard())

const html = (text: string) => bot.api.sendMessage(anna.id, text, { parse_mode: 'HTML' })
const at = (type: MessageEntity['type'], offset: number, length: number, more: object = {}) => ({
  type,
  offset,
  length,
  ...more,
})

describe('HTML becomes text and entities with UTF-16 offsets', () => {
  it.each([
    ['<b>bold</b> &amp; <i>it</i>', 'bold & it', [at('bold', 0, 4), at('italic', 7, 2)]],
    ['🐱🐱 <b>cat</b>', '🐱🐱 cat', [at('bold', 5, 3)]],
    ['<b>a<i>b</i></b>', 'ab', [at('bold', 0, 2), at('italic', 1, 1)]],
    [
      '<a href="http://example.com/x?a=1&amp;b=2">link</a>',
      'link',
      [at('text_link', 0, 4, { url: 'http://example.com/x?a=1&b=2' })],
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
  ])('%j is parsed', async (source, text, entities) => {
    const message = await html(source)
    expect({ text: message.text, entities: message.entities }).toEqual({ text, entities })
  })
})

describe('HTML that Telegram refuses', () => {
  it.each([
    ['привет <br>', 'Unsupported start tag "br" at byte offset 13'],
    ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['1 <2', 'Unclosed start tag at byte offset 2'],
    ['<b>x</b', 'Unclosed end tag at byte offset 4'],
    ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a href="http://example.com>x</a>', 'Unclosed start tag at byte offset 0'],
  ])('%j is refused with the reason', async (source, reason) => {
    await expect(html(source)).rejects.toMatchObject({
      error_code: 400,
      description: `Bad Request: can't parse entities: ${reason}`,
    })
  })
})

describe('a sent text', () => {
  const send = (text: string) => bot.api.sendMessage(anna.id, text)

  it('can have 4096 characters after parsing, and not one more', async () => {
    await html(`<b>${'я'.repeat(4096)}</b>`)
    await expect(send('я'.repeat(4097))).rejects.toThrow('Bad Request: message is too long')
  })

  it('is refused with different messages when it is missing and when it is empty', async () => {
    await expect(send('')).rejects.toThrow('Bad Request: message text is empty')
    await expect(send(' \n ')).rejects.toThrow('Bad Request: text must be non-empty')
    await expect(html('<b></b>')).rejects.toThrow('Bad Request: text must be non-empty')
  })

  it('keeps its given entities, and no command is detected inside code', async () => {
    const given = [at('code', 0, 6)] as MessageEntity[]
    const message = await bot.api.sendMessage(anna.id, '/start /help', { entities: given })
    expect(message.entities).toEqual([at('code', 0, 6), at('bot_command', 7, 5)])
  })
})

describe("the commands in a user's text", () => {
  it.each([
    ['/video a cat', [at('bot_command', 0, 6)]],
    ['/video@sandbox_generation_bot a cat', [at('bot_command', 0, 29)]],
    ['and/or <b>', undefined],
    ['path //x', undefined],
  ])('are detected: %j', async (text, entities) => {
    const message = await anna.sends(text)
    expect(message.entities).toEqual(entities)
  })
})
