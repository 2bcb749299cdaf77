// Forged notifications: requests that claim to come from Telegram, from the gateway or from a payment provider.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generations, topUps, updates } from '../../src/db/schema.ts'
import { end } from '../../src/http/request.ts'
import { createIntake } from '../../src/http/routes.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { createWebhookSecrets } from '../../src/updates/webhook.ts'
import { order } from '../support/users/order.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { words } from './tables/words.ts'

const megabyte = 1024 * 1024
const many = (text: string, count: number) => Buffer.from(text.repeat(count))
const deep = '{"a":'

/** Bodies of requests to the app's own addresses, by name; a text is its own name. */
const bodies: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(
    [
      ...words(`
        null true 0 1e400 "x" [] {} {"object":{"id":" {"id":"x",} {'id':'x'} {"id":NaN,"update_id":Infinity}
        {"id":"task-1","id":"task-2","update_id":1,"update_id":"x"}
        {"__proto__":{"id":"task-1","update_id":1},"constructor":{"prototype":{}}}
        {"id":{"$gt":""},"object":{"id":{"$gt":""}}} {"id":"../../v1/account","object":{"id":"../refunds"}}
        {"id":"http://169.254.169.254/","object":{"id":"http://169.254.169.254/"}}
        {"id":"task-\\u0000","object":{"id":"pay-\\u0000"}} {"id":"task-\\ud83d","object":{"id":"pay-\\ud83d"}}
        {"id":99999999999999999999,"object":{"id":99999999999999999999}}
        id=task-1&status=completed&object[id]=x id=%00%00&task_id=% <html><script>alert(1)</script></html>
        {"id":"task-of-somebody","status":"completed","result":{"url":"http://127.0.0.1/"}}
      `),
      '',
      '/* x */ {"id":"x"} // y',
      '\ufeff{"id":"task-1"}',
      JSON.stringify({
        event: 'payment.succeeded',
        object: {
          id: '2d000000-000f',
          status: 'succeeded',
          paid: true,
          amount: { value: '1000000.00', currency: 'RUB' },
          metadata: { topUpId: '0123456789' },
        },
      }),
      `{"id":"' or '1'='1","object":{"id":"' or '1'='1"}}`,
      '--x\r\ncontent-disposition: form-data; name="id',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><id>&a;</id>',
    ].map((text) => [text, Buffer.from(text)]),
  ),
  'lists in lists': many('[', 30_000),
  'closed lists in lists': Buffer.concat([many('[', 15_000), many(']', 15_000)]),
  'objects in objects': Buffer.from(`${deep.repeat(6000)}1${'}'.repeat(6000)}`),
  'an id of a megabyte': Buffer.from(`{"id":"${'x'.repeat(megabyte)}"}`),
  'a hundred thousand ids': Buffer.from(`[${'"task-1",'.repeat(6000)}"x"]`),
  'many keys': Buffer.from(`{${Array.from({ length: 3000 }, (_, at) => `"k${at}id":"v${at}"`).join(',')}}`),
  'two megabytes': Buffer.alloc(2 * megabyte, 'x'),
  'null bytes': Buffer.alloc(1000),
  'no UTF-8': Buffer.from([0xff, 0xfe, 0xfd, 0x80, 0xc0, 0xc1, 0xf5]),
  'overlong UTF-8': Buffer.from([0x22, 0xc0, 0x80, 0xe0, 0x80, 0x80, 0x22]),
  'UTF-16': Buffer.from('\ufeff{"id":"task-1"}', 'utf16le'),
  'a gzip that is none': Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  'a form of one letter': many('=', 60_000),
  'a multipart form of boundaries': many('--\r\n', 15_000),
}

/** Invalid updates, which Telegram never sends. */
const noUpdates = words(`
    {"update_id":null} {"update_id":"1"} {"update_id":1.5} {"update_id":1e300}
    {"update_id":9007199254740993} {"update_id":[1]} {"update_id":11,"message":null}
    {"update_id":12,"message":{}} {"update_id":13,"message":"x"} {"update_id":14,"message":{"chat":{}}}
    {"update_id":15,"message":{"chat":{"id":"x"}}} {"update_id":16,"message":{"chat":{"id":1e300}}}
    {"update_id":17,"message":{"chat":{"id":1.5}}}
    {"update_id":18,"message":{"chat":{"id":1},"from":{}}}
    {"update_id":19,"message":{"chat":{"id":1},"from":{"id":"1"}}} {"update_id":20,"edited_message":{}}
    {"update_id":21,"callback_query":{}} {"update_id":22,"callback_query":{"from":{"id":"x"}}}
    {"update_id":23,"callback_query":{"from":{"id":1},"message":{}}}
    {"update_id":24,"my_chat_member":{}} {"update_id":25,"my_chat_member":{"chat":{"id":1}}}
`)

/** Paths that the app does not serve. */
const noPaths: readonly string[] = [
  ...words(`
    / // //telegram /telegram /telegram/ /Telegram /callbacks /callbacks/ /callbacks/x
    /callbacks/0123456789abcdef0123456789abcdeF /callbacks/0123456789abcdef0123456789abcdef0
    /callbacks/0123456789abcdef0123456789abcdef/ /callbacks/0123456789abcdef0123456789abcdef
    /callbacks/%30123456789abcdef0123456789abcde /callbacks/..%2f..%2fmetrics /payments /payments/
    /payments/stars /payments/telegram-rub /payments/nobody /payments/constructor /payments/__proto__
    /payments/YOOKASSA /payments/yookassa/ /payments/yookassa%00 /files/x /files/x.y/file.png /metrics
    /admin /.env /../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /constructor
  `),
  '',
  `/${'x'.repeat(8000)}`,
]

const rows = Object.entries(bodies)
const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', '']

let chat: HostileChat
let token = ''
let before: unknown
beforeAll(async () => {
  chat = await openHostileChat()
  const anna = await chat.sandbox.user('Anna')
  await order(chat.sandbox, anna, '/image a fox')
  await anna.sends('/topup 500')
  await anna.taps(/YooKassa/)
  await anna.seesButton(/^Pay /)
  token = (await chat.sandbox.app.db.select().from(generations))[0]?.callbackToken ?? ''
  before = await standing()
})
afterAll(async () => {
  expect(await standing()).toEqual(before)
  await chat.isWell(true)
  await chat.close()
})

/** The states of orders and top-ups, which a forged notification may not change. */
async function standing() {
  const { db } = chat.sandbox.app
  const orders = (await db.select().from(generations)).map(({ state, delivery, taskId }) => [
    state,
    delivery,
    taskId,
  ])
  const paid = (await db.select().from(topUps)).map(({ state, credit }) => [state, credit])
  return { orders, paid }
}

/** Sends each body with one of the types in turn. @returns the names of the rows with another status or text */
async function posted(path: string, status: number): Promise<string[]> {
  const wrong = rows.map(async ([name, body], at) => {
    const type = types[at % types.length]
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const request = { method: 'POST', body: new Uint8Array(body), headers }
    const answer = await fetch(`${chat.sandbox.url}/app${path}`, request)
    return /^(ok|not available)$/.test(await answer.text()) && answer.status === status ? [] : [name]
  })
  return (await Promise.all(wrong)).flat()
}

it('a forged callback of the gateway is confirmed with the token of a settled order, and refused with another one', async () => {
  expect(await posted(`/callbacks/${token}`, 200)).toEqual([])
  expect(await posted(`/callbacks/${'0'.repeat(32)}`, 404)).toEqual([])
})

it('a forged notification of a payment provider is confirmed', async () => {
  for (const name of ['yookassa', 'platega', 'cryptopay'])
    expect([name, ...(await posted(`/payments/${name}`, 200))]).toEqual([name])
})

it('a request to an unknown path is answered with 404', async () => {
  for (const path of noPaths) {
    const answers = ['GET', 'POST', 'PUT', 'DELETE'].map(async (method) => {
      const answer = await fetch(`${chat.sandbox.url}/app${path}`, { method })
      await answer.text()
      return answer.status
    })
    expect([path, ...(await Promise.all(answers))]).toEqual([path, 404, 404, 404, 404])
  }
})

it('a forged request to the webhook stores nothing: it is confirmed with the right secret, and refused without it', async () => {
  const deps = { db: chat.sandbox.app.db, clock: systemClock }
  const secret = 'shared with Telegram'
  const intake = createIntake(secret, createWebhookSecrets(deps, secret), async (received) => {
    await storeUpdates(deps, received)
  })
  const server = createServer((req, res) => {
    intake.take(req).then(
      (status) => end(res, status),
      () => end(res, 500),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`
  const send = async (body: Buffer, given?: string) => {
    const headers: Record<string, string> =
      given === undefined ? {} : { 'x-telegram-bot-api-secret-token': given }
    return (await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })).status
  }
  const stored = await chat.sandbox.app.db.$count(updates)
  const invalid = noUpdates.map((body) => [body, Buffer.from(body)] as const)
  for (const [name, body] of [...rows, ...invalid])
    expect([name, await send(body, secret)]).toEqual([name, 200])
  const wrong = [
    undefined,
    '',
    ' ',
    ...words('x 0 null undefined __proto__'),
    'A'.repeat(43),
    'x'.repeat(4000),
  ]
  for (const given of wrong)
    expect([given, await send(Buffer.from('{"update_id":1}'), given)]).toEqual([given, 401])
  expect(await chat.sandbox.app.db.$count(updates)).toBe(stored)
  server.close()
})
