// What all doubles share: scripted faults, the state on the disk, and a server that answers programs and its own pages, and no other page.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { ScriptedFault } from '../../src/sandbox/faults.ts'
import { type Outside, secrets, startOutside } from '../../src/sandbox/outside.ts'
import { secretKey } from '../../src/sandbox/payments/yookassa/index.ts'
import { createUser } from '../support/users/user.ts'

let folder: string
let outside: Outside
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-outside-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 1, random: Math.random })
  await createUser(outside.url, { first_name: 'Anna' })
})
afterEach(() => outside.faults.clear())
afterAll(async () => {
  await outside.close()
  await rm(folder, { recursive: true })
})

const yookassa = { authorization: `Basic ${Buffer.from(`100500:${secretKey}`).toString('base64')}` }
async function createPayment(): Promise<string> {
  const answer = await fetch(`${outside.url}/yookassa/v3/payments`, {
    method: 'POST',
    headers: { ...yookassa, 'idempotence-key': 'one' },
    body: JSON.stringify({
      amount: { value: '100.00', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://t.me/some_bot' },
    }),
  })
  return z.object({ id: z.string() }).parse(await answer.json()).id
}

/** One reading operation of each double, and its status after a pause. */
const doubles = [
  ['telegram', 'getMe', async () => `/bot${secrets.botToken}/getMe`, {}, 504],
  [
    'gateway',
    'concepts',
    async () => '/gateway/v1/generations/concepts/list',
    { authorization: `Bearer ${secrets.gatewayKey}` },
    200,
  ],
  ['yookassa', 'read', async () => `/yookassa/v3/payments/${await createPayment()}`, yookassa, 200],
] as const

it.each(doubles)(
  'a fault of the double %s spoils one request: error, garbage, cut, hang',
  async (target, operation, pathOf, headers, statusAfterHang) => {
    const url = outside.url + (await pathOf())
    const ask = (signal?: AbortSignal) => fetch(url, { headers, signal: signal ?? null })
    const script = (fault: ScriptedFault['fault']) =>
      outside.faults.add({ target, operation, fault, times: 1 })
    const expectUsualAnswer = async () => expect((await ask()).status).toBe(200)

    script({ kind: 'error', status: 503 })
    const refused = await ask()
    expect([refused.status, await refused.json()]).toEqual([503, expect.any(Object)])
    await expectUsualAnswer()
    script({ kind: 'garbage' })
    const page = await ask()
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ])
    script({ kind: 'garbage', body: 'meow' })
    expect(await (await ask()).text()).toBe('meow')
    for (const after of [false, true]) {
      script({ kind: 'cut', after })
      await expect(ask()).rejects.toThrow('fetch failed')
      await expectUsualAnswer()
    }
    script({ kind: 'hang', ms: 5 })
    expect((await ask()).status).toBe(statusAfterHang)
    script({ kind: 'hang' })
    const aborting = new AbortController()
    const asked = ask(aborting.signal)
    // If the request were aborted before it arrives, the next one would hang.
    await expect.poll(() => outside.faults.list()).toEqual([])
    aborting.abort()
    await expect(asked).rejects.toThrow('aborted')
    await expectUsualAnswer()
  },
)

it('/api/faults adds, lists and removes faults, and names what is wrong with one', async () => {
  const call = async (method: string, body?: string) => {
    const answer = await fetch(`${outside.url}/api/faults`, { method, body: body ?? null })
    return [answer.status, await answer.json()]
  }
  const fault = { target: 'gateway', operation: 'chat', fault: { kind: 'error', status: 503 } }
  const listed = [200, [{ ...fault, times: 1 }]]
  expect(await call('POST', JSON.stringify(fault))).toEqual(listed)
  expect(await call('GET')).toEqual(listed)
  expect(await call('DELETE')).toEqual([200, []])
  for (const wrong of ['meow', '{}', JSON.stringify({ ...fault, fault: { kind: 'error', status: 200 } })])
    expect(await call('POST', wrong)).toEqual([400, { error: expect.any(String) }])
  expect(outside.faults.list()).toEqual([])
})

it.each([true, false])(
  'with keepsState %s the state is on the disk after a stop, or not',
  async (keepsState) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-state-'))
    const other = await startOutside({ port: 0, dataDir, speed: 1, random: Math.random, keepsState })
    await createUser(other.url, { first_name: 'Anna', language_code: 'en' })
    await other.close()
    const files = ['telegram/telegram.json', 'gateway/gateway.json', 'yookassa/yookassa.json']
    expect(files.map((path) => existsSync(join(dataDir, path)))).toEqual(files.map(() => keepsState))
    await rm(dataDir, { recursive: true })
  },
)

it('a request is answered only at a loopback name, and makes changes only for programs and own pages', async () => {
  const { port } = new URL(outside.url)
  /** Not by `fetch`, which sets the host itself. */
  async function ask(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) {
    const sent = request(`${outside.url}/api/users`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
    }).end(method === 'POST' ? '{"first_name":"Anna"}' : '')
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    const text = (await answer?.setEncoding('utf8').toArray())?.join('')
    return [answer?.statusCode, text?.includes('Anna')]
  }
  const words = (text: string) => text.split(' ')
  const own = [...words('127.0.0.1 localhost LOCALHOST [::1] localhost:1'), `127.0.0.1:${port}`]
  for (const host of own) expect([host, ...(await ask('GET', { host }))]).toEqual([host, 200, true])
  for (const host of words('evil:8080 evil 127.0.0.1.evil localhost.evil:80 evil:80@localhost 127.0.0.2'))
    expect([host, ...(await ask('GET', { host }))]).toEqual([host, 403, false])
  expect(await ask('POST', {})).toEqual([200, true])
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
    expect(await ask('POST', { host, origin: `http://${host}` })).toEqual([200, true])
  for (const origin of words('https://evil null http://localhost:1 https://127.0.0.1 http://127.0.0.1'))
    expect([origin, ...(await ask('POST', { origin }))]).toEqual([origin, 403, false])
})
