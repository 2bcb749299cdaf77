// The scripted faults that all doubles share: each double applies a fault to its requests in the same way.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ScriptedFault } from '../../src/sandbox/faults.ts'
import { type Outside, secrets, startOutside } from '../../src/sandbox/outside.ts'
import { secretKey } from '../../src/sandbox/payments/yookassa/index.ts'

let folder: string
let outside: Outside
let paymentId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-faults-'))
  outside = await startOutside({ port: 0, dataDir: folder, speed: 1, random: Math.random })
  paymentId = await createPayment()
})
afterEach(() => outside.faults.clear())
afterAll(async () => {
  await outside.close()
  await rm(folder, { recursive: true })
})

const credentials = Buffer.from(`100500:${secretKey}`).toString('base64')
const yookassaHeaders = { authorization: `Basic ${credentials}` }
async function createPayment(): Promise<string> {
  const answer = await fetch(`${outside.url}/yookassa/v3/payments`, {
    method: 'POST',
    headers: { ...yookassaHeaders, 'idempotence-key': 'one' },
    body: JSON.stringify({
      amount: { value: '100.00', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://t.me/some_bot' },
    }),
  })
  return z.object({ id: z.string() }).parse(await answer.json()).id
}

/** One reading operation of each double; the path of YooKassa's is completed with the id of a payment. */
const doubles = [
  {
    target: 'telegram',
    operation: 'getMe',
    path: `/bot${secrets.botToken}/getMe`,
    headers: {},
    statusAfterHang: 504,
  },
  {
    target: 'gateway',
    operation: 'concepts',
    path: '/gateway/v1/generations/concepts/list',
    headers: { authorization: `Bearer ${secrets.gatewayKey}` },
    statusAfterHang: 200,
  },
  {
    target: 'yookassa',
    operation: 'read',
    path: '/yookassa/v3/payments/',
    headers: yookassaHeaders,
    statusAfterHang: 200,
  },
] as const

it.each(doubles)(
  'a fault of the double $target spoils one request: error, garbage, cut, hang',
  async ({ target, operation, path, headers, statusAfterHang }) => {
    const ask = (signal?: AbortSignal) => {
      const url = outside.url + path + (target === 'yookassa' ? paymentId : '')
      return fetch(url, { headers, signal: signal ?? null })
    }
    const script = (fault: ScriptedFault['fault']) =>
      outside.faults.add({ target, operation, fault, times: 1 })
    const expectUsualAnswer = async () => expect((await ask()).status).toBe(200)

    script({ kind: 'error', status: 503 })
    const refused = await ask()
    expect([refused.status, await refused.json()]).toEqual([503, expect.any(Object)])
    await expectUsualAnswer()
    script({ kind: 'garbage' })
    const page = await ask()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
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

describe('/api/faults', () => {
  const call = (method: string, body?: string) =>
    fetch(`${outside.url}/api/faults`, { method, body: body ?? null })
  const fault = { target: 'gateway', operation: 'chat', fault: { kind: 'error', status: 503 } }

  it('adds, lists and removes faults', async () => {
    const added = await call('POST', JSON.stringify(fault))
    expect([added.status, await added.json()]).toEqual([200, [{ ...fault, times: 1 }]])
    expect(await (await call('GET')).json()).toEqual([{ ...fault, times: 1 }])
    expect(await (await call('DELETE')).json()).toEqual([])
    expect(outside.faults.list()).toEqual([])
  })

  it.each(['meow', '{}', JSON.stringify({ ...fault, fault: { kind: 'error', status: 200 } })])(
    'refuses %j and names the problem',
    async (body) => {
      const answer = await call('POST', body)
      expect([answer.status, await answer.json()]).toEqual([400, { error: expect.any(String) }])
      expect(outside.faults.list()).toEqual([])
    },
  )
})
