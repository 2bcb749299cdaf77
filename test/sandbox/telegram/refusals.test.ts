// What the local Telegram refuses, in the words of the real one, so that a mistake of the app fails in a test.

import { type Bot, InputFile } from 'grammy'
import type { MessageEntity } from 'grammy/types'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { colored } from '../../support/media/media-files.ts'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

beforeAll(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterAll(() => local.discard())

async function call(method: string, body: object, secret = token) {
  const answer = await fetch(`${local.url}/bot${secret}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { description, error_code } = JSON.parse(await answer.text())
  return { description, error_code }
}
const badRequest = (why: string) => ({ error_code: 400, description: `Bad Request: ${why}` })
const refused = (why: string) => expect.objectContaining(badRequest(why))

const stars = (amount: number) => [{ label: 'Top-up', amount }]
const provider_token = '381764678:TEST:100037'
const pay = { text: 'Pay', pay: true }
const plain = { text: 'x', callback_data: 'x' }
const keyboard = (...buttons: object[]) => ({ reply_markup: { inline_keyboard: [buttons] } })
const entity = (offset: number): MessageEntity => ({ type: 'bold', offset, length: 1 })

type Row = readonly [method: string, body: object, why: string]
const html = (text: string, why: string): Row => [
  'sendMessage',
  { text, parse_mode: 'HTML' },
  `can't parse entities: ${why}`,
]
const text = (more: object, why: string): Row => ['sendMessage', { text: 'x', ...more }, why]
const draft = (more: object, why: string): Row => [
  'sendMessageDraft',
  { draft_id: 7, text: 'x', ...more },
  why,
]
const topUp = { title: 'Top-up', description: 'x', payload: 'p', currency: 'XTR', prices: stars(5) }
const invoice = (more: object, why: string): Row => ['sendInvoice', { ...topUp, ...more }, why]

const rows: readonly Row[] = [
  html('привет <br>', 'Unsupported start tag "br" at byte offset 13'),
  html('<b>x', 'Can\'t find end tag corresponding to start tag "b"'),
  html('<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
  html('x</b>', 'Unexpected end tag at byte offset 1'),
  html('1 <2', 'Unclosed start tag at byte offset 2'),
  html('<b>x</b', 'Unclosed end tag at byte offset 4'),
  html('<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
  html('<a href="http://example.com>x</a>', 'Unclosed start tag at byte offset 0'),
  text({ text: 'я'.repeat(4097) }, 'message is too long'),
  text({ text: '' }, 'message text is empty'),
  text({ text: ' \n ' }, 'text must be non-empty'),
  text({ text: '<b></b>', parse_mode: 'HTML' }, 'text must be non-empty'),
  text({ chat_id: 404 }, 'chat not found'),
  text(keyboard({ text: 'x', callback_data: `${'я'.repeat(32)}a` }), 'BUTTON_DATA_INVALID'),
  text(
    keyboard({ text: 'x' }),
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ),
  text(
    keyboard({ text: 'x', url: 'http://localhost' }),
    "inline keyboard button URL 'http://localhost' is invalid: Wrong HTTP URL",
  ),
  text(keyboard(pay), 'BUTTON_TYPE_INVALID'),
  draft({ draft_id: 0 }, 'draft_id must be non-zero'),
  draft({ text: 'x'.repeat(4097) }, 'message is too long'),
  draft({ entities: [entity(-1)] }, 'receive an entity with incorrect offset -1'),
  draft({ message_thread_id: 5 }, 'message thread not found'),
  invoice({ title: '' }, 'parameter "title" is required'),
  invoice({ title: 'x'.repeat(33) }, 'INVOICE_TITLE_TOO_LONG'),
  invoice({ description: 'x'.repeat(256) }, 'INVOICE_DESCRIPTION_TOO_LONG'),
  invoice({ payload: 'я'.repeat(65) }, 'INVOICE_PAYLOAD_INVALID'),
  invoice({ prices: [...stars(5), ...stars(6)] }, 'STARS_INVOICE_INVALID'),
  invoice({ provider_token }, 'PAYMENT_PROVIDER_INVALID'),
  invoice({ currency: 'RUB' }, 'PAYMENT_PROVIDER_INVALID'),
  invoice({ prices: [] }, 'there must be at least one price'),
  invoice({ prices: stars(0) }, 'CURRENCY_TOTAL_AMOUNT_INVALID'),
  // Less than about one dollar.
  invoice({ currency: 'RUB', provider_token, prices: stars(8652) }, 'CURRENCY_TOTAL_AMOUNT_INVALID'),
  invoice(keyboard(plain, pay), 'BUTTON_TYPE_INVALID'),
  invoice(keyboard(plain), 'REPLY_MARKUP_BUY_EMPTY'),
  [
    'answerCallbackQuery',
    { callback_query_id: '123' },
    'query is too old and response timeout expired or query ID is invalid',
  ],
  ['setMyCommands', { commands: [{ command: 'Video', description: 'x' }] }, 'BOT_COMMAND_INVALID'],
  ['setWebhook', { url: 'http://example.com/' }, 'bad webhook: An HTTPS URL must be provided for webhook'],
  ['setWebhook', { url: 'nonsense' }, 'invalid webhook URL specified'],
  [
    'setWebhook',
    { url: 'http://127.0.0.1:9/', secret_token: 'no spaces' },
    'secret token contains unallowed characters',
  ],
]

it('texts, buttons, drafts, invoices and settings that Telegram refuses are refused with its words', async () => {
  const answers = rows.map(async ([method, body, why]) => {
    const answer = await call(method, { chat_id: 11, ...body })
    return [method, why, answer]
  })
  expect(await Promise.all(answers)).toEqual(rows.map(([method, _, why]) => [method, why, badRequest(why)]))
  expect(await anna.transcript()).toBe('Anna: hi')
  expect(await anna.drafts()).toEqual([])
})

it('a wrong token is refused, and an unknown method with a line on stderr and an event', async () => {
  expect(await call('getMe', {}, '1:wrong')).toMatchObject({ error_code: 401 })
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const errors: unknown[] = []
  local.telegram.on((event) => void errors.push(event))
  expect(await call('sendPaintings', { chat_id: 11 })).toEqual(
    badRequest('method sendPaintings is not part of the sandbox'),
  )
  expect(written).toHaveBeenCalledWith(expect.stringContaining('sendPaintings'))
  expect(errors).toMatchObject([{ type: 'error', data: { method: 'sendPaintings' } }])
  written.mockRestore()
})

it('photos that Telegram cannot process are refused, and other files by what they are', async () => {
  const png = (width: number, height: number) => colored(width, height, [1, 2, 3]).png().toBuffer()
  const cat = await png(64, 64)
  const large = Buffer.concat([cat, Buffer.alloc(10 * 1024 * 1024)])
  const file = (bytes: Uint8Array) => new InputFile(bytes, 'x.png')
  for (const [bytes, why] of [
    [Buffer.from('not an image at all, but long enough'), 'IMAGE_PROCESS_FAILED'],
    [await png(9000, 1001), 'PHOTO_INVALID_DIMENSIONS'],
    [await png(2100, 100), 'PHOTO_INVALID_DIMENSIONS'],
    [large, `file of size ${large.length} bytes is too big for a photo; the maximum size is 10485760 bytes`],
    [Buffer.alloc(0), 'file must be non-empty'],
  ] as const)
    await expect(bot.api.sendPhoto(anna.id, file(bytes))).rejects.toEqual(refused(why))
  const { document } = await bot.api.sendDocument(anna.id, file(cat))
  const { photo } = await bot.api.sendPhoto(anna.id, file(cat))
  const id = photo[0]?.file_id ?? ''
  const album = (...media: object[]) => call('sendMediaGroup', { chat_id: 11, media })
  const one = { type: 'photo', media: id }
  expect(await album(one)).toEqual(badRequest('an album must include 2-10 items'))
  expect(await album(...Array(11).fill(one))).toEqual(badRequest('too many messages to send as an album'))
  expect(await album({ type: 'document', media: document.file_id }, one)).toEqual(
    badRequest("can't use the media of the specified type in the album"),
  )
  const caption = 'x'.repeat(1025)
  await expect(bot.api.sendPhoto(anna.id, id, { caption })).rejects.toEqual(
    refused('message caption is too long'),
  )
  await expect(bot.api.sendVideo(anna.id, id)).rejects.toEqual(
    refused("can't use file of type Photo as Video"),
  )
  await expect(bot.api.sendPhoto(anna.id, 'nonsense')).rejects.toEqual(
    refused('wrong file identifier/HTTP URL specified'),
  )
})

it('edits that change nothing, of unknown messages, and of other messages are refused', async () => {
  const said = await anna.sends('hi')
  const bold = { parse_mode: 'HTML' as const, reply_markup: { inline_keyboard: [[plain]] } }
  const { message_id } = await bot.api.sendMessage(anna.id, '<b>x</b>', bold)
  const edit = (id: number, words: string, other = {}) => bot.api.editMessageText(anna.id, id, words, other)
  await expect(edit(message_id, '<b>x</b>', bold)).rejects.toEqual(
    refused(
      'message is not modified: specified new message content and reply markup are exactly the same ' +
        'as a current content and reply markup of the message',
    ),
  )
  await edit(message_id, '<b>x</b>', { parse_mode: 'HTML' })
  await edit(message_id, 'x')
  await expect(edit(999, 'x')).rejects.toEqual(refused('message to edit not found'))
  await expect(edit(said.message_id, 'x')).rejects.toEqual(refused("message can't be edited"))
  await expect(bot.api.editMessageCaption(anna.id, message_id, { caption: 'x' })).rejects.toEqual(
    refused('there is no caption in the message to edit'),
  )
  const { callback_query_id = '' } = await anna.tapsData(message_id, 'forged')
  await bot.api.answerCallbackQuery(callback_query_id)
  await expect(bot.api.answerCallbackQuery(callback_query_id)).rejects.toThrow('query is too old')
  await bot.api.deleteMessage(anna.id, message_id)
  await expect(bot.api.deleteMessage(anna.id, message_id)).rejects.toEqual(
    refused('message to delete not found'),
  )
})

it('answers to an inline query that Telegram refuses are refused, and an answer after another one', async () => {
  const article = (id: string) => ({
    type: 'article',
    id,
    title: 'x',
    input_message_content: { message_text: 'x' },
  })
  const asked = anna.asksInline('cat')
  const query = async () => (await bot.api.getUpdates()).findLast((one) => one.inline_query)?.inline_query?.id
  await expect.poll(query).toBeDefined()
  const answer = async (...results: object[]) =>
    (await call('answerInlineQuery', { inline_query_id: await query(), results })).description
  const photo = { type: 'photo', id: 'p', photo_url: 'http://a.b/c', thumbnail_url: '' }
  expect(await answer(article('a'), article('a'))).toContain('RESULT_ID_DUPLICATE')
  expect(await answer(...Array.from({ length: 51 }, (_, n) => article(`${n}`)))).toContain('RESULTS_TOO_MUCH')
  expect(await answer({ ...photo, photo_url: undefined, photo_file_id: 'x' })).toContain(
    'wrong file identifier',
  )
  expect(await answer(photo)).toContain('photo_file_id')
  expect(await answer()).toBeUndefined()
  await asked
  expect(await answer()).toContain('query is too old')
})
