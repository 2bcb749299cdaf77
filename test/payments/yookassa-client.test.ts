// The HTTP client of YooKassa: every answer becomes an outcome, requests time out, and no outcome contains the secret.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApiClient } from '../../src/payments/api-client.ts'
import { yookassaApi } from '../../src/payments/yookassa/index.ts'
import { providerFrom } from '../support/worlds/payments.ts'

const secretKey = 'canary-secret-key'
const basic = Buffer.from(`100500:${secretKey}`).toString('base64')
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function urlOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

function clientAt(url: string, timeoutMs = 30_000) {
  const client = createApiClient(yookassaApi({ shopId: '100500', secretKey, url }), timeoutMs)
  closing.unshift(client.close)
  return client
}
const clientOf = async (answer: RequestListener, timeoutMs?: number) =>
  clientAt(await urlOf(answer), timeoutMs)

/** YooKassa with this API. */
async function providerOf(answer: RequestListener, vatCode?: number) {
  const env = {
    YOOKASSA_SHOP_ID: '100500',
    YOOKASSA_SECRET_KEY: secretKey,
    YOOKASSA_URL: await urlOf(answer),
  }
  const provider = providerFrom(env, { vatCode })
  if (provider.close) closing.unshift(provider.close)
  return provider
}

const schema = z.object({ id: z.string() })
const json =
  (status: number, body: unknown): RequestListener =>
  (_, res) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

it('a request has the credentials, the idempotence key and the body', async () => {
  const seen: unknown[] = []
  const client = await clientOf(async (req, res) => {
    const { authorization, 'idempotence-key': key, 'content-type': type } = req.headers
    seen.push(req.method, req.url, authorization, key, type, JSON.parse(await text(req)))
    json(200, { id: 'x' })(req, res)
  })
  const answered = await client.post('/payments', { a: 1 }, schema, { 'idempotence-key': 'key-1' })
  expect(answered).toEqual({ is: 'answer', value: { id: 'x' } })
  expect(seen).toEqual(['POST', '/payments', `Basic ${basic}`, 'key-1', 'application/json', { a: 1 }])
})

describe('an answer', () => {
  const code = { type: 'error', code: 'invalid_request' }
  const error = { ...code, description: `no ${secretKey}`, parameter: 'amount' }
  const half: RequestListener = (_, res) =>
    res.writeHead(200, { 'content-length': 100 }).write('{"id"', () => res.destroy())

  it('of an error is described by its status and by all that it says', async () => {
    const client = await clientOf(json(400, { ...error, description: 'too much' }))
    const said = '400 invalid_request too much amount'
    expect(await client.get('/payments/1', schema)).toEqual({ is: 'refused', said })
  })

  it.each([
    ['a refusal', json(400, error), 'refused'],
    ['not found', json(404, error), 'refused'],
    ['wrong credentials', json(401, { ...error, description: basic }), 'unavailable'],
    ['too many requests', json(429, error), 'unavailable'],
    ['still processing', json(202, { type: 'processing' }), 'unavailable'],
    ['a server error', json(500, error), 'unavailable'],
    ['an undocumented shape', json(200, { id: 7, secret: secretKey }), 'unavailable'],
    ['an HTML page', (_: unknown, res) => res.end(`<html>${secretKey}</html>`), 'unavailable'],
    ['a cut connection', (req) => req.socket.destroy(), 'unavailable'],
    ['half an answer', half, 'unavailable'],
    ['not HTTP', (req) => req.socket.end(`${basic} ${secretKey}\r\n\r\n`), 'unavailable'],
    ['too large', (_, res) => res.end(`{"id":"${'x'.repeat(2_000_000)}"}`), 'unavailable'],
    ['a redirect', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), 'unavailable'],
  ] satisfies [string, RequestListener, string][])(
    'becomes an outcome without the secret: %s',
    async (_, answer, is) => {
      const client = await clientOf(answer)
      const outcome = await client.get('/payments/1', schema)
      expect(outcome.is).toBe(is)
      expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${secretKey}|${basic}`))
    },
  )

  it('that does not come in time, or only byte by byte, and a refused connection are no answers', async () => {
    for (const silent of [() => undefined, (_: unknown, res: Parameters<RequestListener>[1]) => drip(res)]) {
      const client = await clientOf(silent, 200)
      expect(await client.get('/payments/1', schema)).toMatchObject({ is: 'unavailable' })
    }
    const said = expect.stringContaining('ECONNREFUSED')
    const refused = await clientAt('http://127.0.0.1:9', 1000).get('/payments/1', schema)
    expect(refused).toMatchObject({ is: 'unavailable', said })
  })
})

it('the list of refunds is read page by page, from a day on', async () => {
  const asked: string[] = []
  const { way } = await providerOf((req, res) => {
    asked.push(req.url ?? '')
    const cursor = new URL(req.url ?? '', 'http://localhost').searchParams.get('cursor')
    const next = cursor === null ? { next_cursor: '1-2' } : cursor === 'empty' ? { next_cursor: '' } : {}
    json(200, { items: [{ payment_id: cursor === null ? 'a' : 'b' }], ...next })(req, res)
  })
  if (way.by !== 'link' || !way.listRefunds) return expect.unreachable('YooKassa has a list of refunds')
  const since = new Date('2026-11-21T12:00:00Z')
  expect(await way.listRefunds(since, 'empty')).toMatchObject({ is: 'unavailable' })
  asked.length = 0
  expect(await way.listRefunds(since)).toEqual({ is: 'page', chargeIds: ['a'], next: '1-2' })
  expect(await way.listRefunds(since, '1-2')).toEqual({ is: 'page', chargeIds: ['b'], next: undefined })
  const query = '/refunds?status=succeeded&created_at.gte=2026-11-21T12%3A00%3A00.000Z&limit=100'
  expect(asked).toEqual([query, `${query}&cursor=1-2`])
})

describe('a refund', () => {
  const charge = { currency: 'RUB', amount: 500_00n }
  const order = { chargeId: 'payment-1', topUpId: 'top-up-1', telegramId: 1, charge }
  const amount = { value: '500.00', currency: 'RUB' }
  const payment = { id: 'payment-1', status: 'succeeded', paid: true, amount }

  async function refunding(made: string, read: string) {
    const asked: string[] = []
    const { refund } = await providerOf((req, res) => {
      asked.push(`${req.method} ${req.url} ${req.headers['idempotence-key'] ?? ''}`.trim())
      const status = req.method === 'POST' ? made : read
      json(200, req.url === '/payments/payment-1' ? payment : { id: 'refund-1', status })(req, res)
    }, 1)
    return { asked, refund: (attempt: number) => refund?.({ ...order, attempt }) }
  }

  it('that is pending is read again, and is unavailable while it stays pending; each attempt has one idempotence key', async () => {
    const { asked, refund } = await refunding('pending', 'succeeded')
    expect(await refund(1)).toEqual({ is: 'done' })
    expect(asked).toEqual(['POST /refunds refund-top-up-1-1', 'GET /refunds/refund-1'])
    const slow = await refunding('pending', 'pending')
    expect(await slow.refund(1)).toMatchObject({ is: 'unavailable' })
    const canceled = await refunding('canceled', 'canceled')
    for (const attempt of [1, 1, 2]) expect(await canceled.refund(attempt)).toMatchObject({ is: 'refused' })
    const keys = canceled.asked.filter((one) => one.startsWith('POST')).map((one) => one.split(' ').at(-1))
    expect(keys).toEqual([1, 1, 2].map((attempt) => `refund-top-up-1-${attempt}`))
  })

  it('of a part is offered without fiscal receipts only', async () => {
    const offers = [await providerOf(json(200, {}), 1), await providerOf(json(200, {}))]
    expect(offers.map(({ refundPart }) => refundPart !== undefined)).toEqual([false, true])
  })

  /** Asks for a refund at a shop whose owner has refunded a part of the 500 roubles in the cabinet. */
  async function afterPart(vatCode: number | undefined, refunded: string | undefined) {
    const asked: string[] = []
    const refunded_amount = refunded && { value: refunded, currency: 'RUB' }
    const { refund } = await providerOf(async (req, res) => {
      if (req.method === 'GET') return json(200, { ...payment, refunded_amount })(req, res)
      const body = z.object({ amount: z.object({ value: z.string() }) }).parse(JSON.parse(await text(req)))
      asked.push(`${req.headers['idempotence-key']} ${body.amount.value}`)
      if (body.amount.value === '500.00') return json(400, { code: 'invalid_request' })(req, res)
      json(200, { id: 'refund-2', status: 'succeeded' })(req, res)
    }, vatCode)
    return { asked, outcome: await refund?.({ ...order, attempt: 1 }) }
  }

  it('after a part was refunded in the cabinet returns the rest, and not more; with receipts that is made in the cabinet, too', async () => {
    const first = 'refund-top-up-1-1 500.00'
    for (const [vatCode, part, outcome, ...rest] of [
      [undefined, '200.00', { is: 'done' }, 'refund-top-up-1-1-rest 300.00'],
      [undefined, '0.01', { is: 'done' }, 'refund-top-up-1-1-rest 499.99'],
      [undefined, undefined, { is: 'refused', said: '400 invalid_request' }],
      [undefined, '0.00', { is: 'refused', said: '400 invalid_request' }],
      [undefined, '500.01', { is: 'done' }],
      [1, '200.00', { is: 'refused', said: expect.stringContaining('in the cabinet') }],
    ] as const) {
      const found = await afterPart(vatCode, part)
      expect(found).toEqual({ outcome, asked: [first, ...rest] })
    }
  })
})

/** Sends single bytes and never ends. */
function drip(res: Parameters<RequestListener>[1]): void {
  res.writeHead(200)
  const dripping = setInterval(() => res.write(' '), 20)
  res.once('close', () => clearInterval(dripping))
}
