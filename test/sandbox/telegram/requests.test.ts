// How the local Telegram reads requests: JSON, queries and forms.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let anna: SandboxUser

beforeAll(async () => {
  local = await startTelegram()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterAll(() => local.discard())

async function ask(path: string, type?: string, body?: string | Uint8Array<ArrayBuffer>) {
  const init =
    type === undefined ? {} : { method: 'POST', headers: { 'content-type': type }, body: body ?? '' }
  const response = await fetch(`${local.url}${path}`, init)
  return JSON.parse(await response.text())
}
const call = (method: string, type?: string, body?: string) => ask(`/bot${token}/${method}`, type, body)
const sent = (result: object) => ({ ok: true, result: expect.objectContaining(result) })

/** A form with fields and one file, whose header is written unchanged. */
function form(disposition: string, ...fields: readonly [string, string][]) {
  const parts = [
    ...fields.map(([name, value]) => `Content-Disposition: form-data; name=${name}\r\n\r\n${value}`),
    `Content-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\nhello`,
  ]
  return `${parts.map((part) => `--b0undary\r\n${part}\r\n`).join('')}--b0undary--\r\n`
}
const sendForm = (disposition: string) =>
  call('sendDocument', 'multipart/form-data; boundary=b0undary', form(disposition, ['chat_id', '11']))

describe('a JSON body', () => {
  it.each(['Application/JSON', 'application/json; charset=UTF-8', 'APPLICATION/JSON;charset=utf-8'])(
    'is recognised by the content type %s',
    async (type) => {
      expect(await call('sendMessage', type, '{"chat_id": 11, "text": "кот"}')).toEqual(sent({ text: 'кот' }))
    },
  )

  it('can contain numbers as text, objects as text, and nulls', async () => {
    const keyboard = JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] })
    const body = { chat_id: '11', text: 'x', parse_mode: null, reply_markup: keyboard }
    expect(await call('sendMessage', 'application/json', JSON.stringify(body))).toEqual(
      sent({ text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] } }),
    )
  })
})

describe('a multipart form', () => {
  it.each([
    ['name="document"; filename="cat.txt"', 'cat.txt'],
    ['name="document"; filename="кот и пёс.txt"', 'кот и пёс.txt'],
    ['name="document"; filename="a%22b.txt"', 'a"b.txt'],
    ['name="document"; filename="a;b.txt"', 'a;b.txt'],
  ])('with %s yields a file', async (disposition, file_name) => {
    expect(await sendForm(disposition)).toEqual(sent({ document: expect.objectContaining({ file_name }) }))
  })

  it('can attach a file under another name', async () => {
    const body = form('name="any"; filename="a.txt"', ['chat_id', '11'], ['document', 'attach://any'])
    expect(await call('sendDocument', 'Multipart/Form-Data; boundary="b0undary"', body)).toEqual(
      sent({ document: expect.objectContaining({ file_name: 'a.txt', file_size: 5 }) }),
    )
  })

  it('that is cut off is refused', async () => {
    const whole = form('name="document"; filename="a.txt"', ['chat_id', '11'])
    const cut = whole.slice(0, -20)
    expect(await call('sendDocument', 'multipart/form-data; boundary=b0undary', cut)).toMatchObject({
      error_code: 400,
    })
  })
})
