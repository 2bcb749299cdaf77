// The server of the doubles answers programs and its own pages, and no other web page.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'
import { createUser } from '../support/users/user.ts'

let local: LocalTelegram
let port: string
beforeAll(async () => {
  local = await startTelegram()
  await createUser(local.url, { first_name: 'Anna' })
  port = new URL(local.url).port
})
afterAll(() => local.discard())

/** Not by `fetch`, which sets the host itself. */
async function ask(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) {
  const sent = request(`${local.url}/api/users`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
  }).end(method === 'POST' ? '{"first_name":"Anna"}' : '')
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  const parts = await answer?.setEncoding('utf8').toArray()
  return { status: answer?.statusCode, text: parts?.join('') }
}

it('a request is answered only at a loopback name, which a page of the web cannot have', async () => {
  const own = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', 'localhost:1', `127.0.0.1:${port}`]
  for (const host of own)
    expect(await ask('GET', { host })).toMatchObject({ status: 200, text: expect.stringContaining('Anna') })
  for (const host of [
    'evil:8080',
    'evil',
    '127.0.0.1.evil',
    'localhost.evil:80',
    'evil:80@localhost',
    '127.0.0.2',
  ])
    expect(await ask('GET', { host })).toMatchObject({
      status: 403,
      text: expect.not.stringContaining('Anna'),
    })
})

it('a change is made only for programs and for pages of the server itself', async () => {
  expect(await ask('POST', {})).toMatchObject({ status: 200 })
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
    expect(await ask('POST', { host, origin: `http://${host}` })).toMatchObject({ status: 200 })
  for (const origin of [
    'https://evil',
    'null',
    'http://localhost:1',
    'https://127.0.0.1',
    'http://127.0.0.1',
  ])
    expect(await ask('POST', { origin })).toMatchObject({ status: 403 })
})
