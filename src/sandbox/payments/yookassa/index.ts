// A local double of YooKassa: its API at `/yookassa/v3`, its payment page, its notifications to the shop (a POST without a signature, repeated
// until the answer is 200; faults of the operation `notification` apply to it), and two routes for tests:
//
//   GET  /api/yookassa/payments        all payments, with their receipts
//   POST /api/yookassa/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the shop's owner
//                                      in the cabinet

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../../runtime/clock.ts'
import { type ErrorFault, type Faults, underFault } from '../../faults.ts'
import { type Handler, readBody, sendJson } from '../../http.ts'
import { createBackground, jsonNotice, notify } from '../../notices.ts'
import { checkoutPath, createCheckout } from './checkout.ts'
import { openShop, refusalView, type Shop, YookassaRefusal } from './shop.ts'

export interface YookassaDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  /** The address of the sandbox, without a path. */
  readonly baseUrl: string
  /** The address of the app. */
  readonly publicUrl: string
  /** Whether payments are written to the disk. */
  readonly keepsState: boolean
  /** The folder of a double with this name. */
  readonly folder: (name: string) => string
}

const shopId = '100500'
export const secretKey = 'sandbox-yookassa-key'
const notificationPauseMs = 500

export function createYookassa(settings: YookassaDeps) {
  const { baseUrl, publicUrl, faults } = settings
  const closing = new AbortController()
  const background = createBackground('yookassa')
  const deps = { ...settings, closing: closing.signal }
  const tell = (event: string, object: unknown) => {
    const body = JSON.stringify({ type: 'notification', event, object })
    const fault = faults.take('yookassa', 'notification')
    return notify(deps, jsonNotice(`${publicUrl}/payments/yookassa`, body), fault, notificationPauseMs)
  }
  const shop = openShop({
    ...settings,
    folder: settings.folder('yookassa'),
    pageOf: (id) => `${baseUrl}${checkoutPath}?orderId=${id}`,
    notify: (event, object) => background.add(tell(event, object)),
  })
  const api = createApi({ ...deps, shopId, secretKey, shop })
  const handlers = [api, createCheckout(shop), createTestRoutes(shop)]
  const handler: Handler = async (req, res, url) => {
    for (const one of handlers) if (await one(req, res, url)) return true
    return false
  }
  return {
    handler,
    env: {
      YOOKASSA_URL: `${baseUrl}${apiPath}`,
      YOOKASSA_SHOP_ID: shopId,
      YOOKASSA_SECRET_KEY: secretKey,
    },
    async close() {
      closing.abort()
      await background.done()
      await shop.save()
    },
  }
}

const testPath = '/api/yookassa/payments'
const testAction = z.strictObject({ action: z.enum(['pay', 'cancel', 'refund']) })

function createTestRoutes(shop: Shop): Handler {
  return async (req, res, { pathname }) => {
    if (pathname === testPath && req.method === 'GET') sendJson(res, 200, shop.list())
    else if (pathname.startsWith(`${testPath}/`) && req.method === 'POST') {
      await decide(shop, pathname.slice(testPath.length + 1), String(await readBody(req))).then(
        (payment) => sendJson(res, 200, payment),
        (error: unknown) => sendJson(res, statusOf(error), { error: String(error) }),
      )
    } else return false
    return true
  }
}

async function decide(shop: Shop, id: string, text: string) {
  const { action } = testAction.parse(JSON.parse(text))
  shop.decide(id, action)
  await shop.save()
  return shop.find(id)
}

const statusOf = (error: unknown): number => (error instanceof YookassaRefusal ? error.status : 400)

// The API: checks credentials and idempotence keys, and applies scripted faults to `create`, `read`, `list` and `refund`.

interface ApiDeps {
  readonly shopId: string
  readonly secretKey: string
  readonly shop: Shop
  readonly faults: Faults
  readonly clock: Clock
  readonly closing: AbortSignal
}

const apiPath = '/yookassa/v3'
const prefix = `${apiPath}/`

function createApi(deps: ApiDeps): Handler {
  return async (req, res, url) => {
    const { pathname } = url
    if (!pathname.startsWith(prefix)) return false
    const text = String(await readBody(req))
    try {
      authorise(deps, req)
      await answer(deps, req, res, { path: pathname.slice(prefix.length), query: url.searchParams, text })
    } catch (error) {
      if (!(error instanceof YookassaRefusal)) throw error
      sendJson(res, error.status, refusalView(error, 'e1d3b5a7-0000-5000-8000-000000000000'))
    }
    return true
  }
}

function authorise({ shopId, secretKey }: ApiDeps, { headers }: IncomingMessage): void {
  const wanted = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
  if (headers.authorization === wanted) return
  throw new YookassaRefusal(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization')
}

interface Asked {
  /** After the prefix of the API. */
  readonly path: string
  readonly query: URLSearchParams
  /** The body of the request. */
  readonly text: string
}

interface Operation {
  readonly name: string
  run(): unknown
}

/** The signal of a hang is not that of the caller, so a request is carried out after it even if its caller has hung up. */
async function answer(deps: ApiDeps, req: IncomingMessage, res: ServerResponse, asked: Asked): Promise<void> {
  const { shop, faults, clock, closing: signal } = deps
  const operation = operationOf(shop, req, asked)
  const run = async () => {
    const body = operation.run()
    await shop.save()
    return { type: 'application/json; charset=utf-8', text: JSON.stringify(body) }
  }
  const faulty = {
    clock,
    signal,
    error({ status, description = 'scripted' }: ErrorFault): never {
      throw new YookassaRefusal(status, 'internal_server_error', description)
    },
    garbage: (text = '<html>Bad gateway</html>') => ({ type: 'text/html', text }),
    afterHang: run,
  }
  const reply = await underFault(faults.take('yookassa', operation.name), faulty, run)
  if (reply) res.writeHead(200, { 'content-type': reply.type }).end(reply.text)
  else res.destroy()
}

function operationOf(shop: Shop, req: IncomingMessage, { path, query, text }: Asked): Operation {
  const [kind = '', id = '', ...more] = path.split('/')
  const operations: Readonly<Record<string, Operation>> = {
    'POST payments': { name: 'create', run: () => shop.create(keyOf(req), parse(text)) },
    'GET payments/:id': { name: 'read', run: () => shop.view(shop.find(id)) },
    'POST refunds': { name: 'refund', run: () => shop.refund(keyOf(req), parse(text)) },
    'GET refunds/:id': { name: 'read', run: () => shop.refundOf(id) },
    'GET refunds': { name: 'list', run: () => shop.listRefunds(Object.fromEntries(query)) },
  }
  const operation = operations[`${req.method} ${kind}${id === '' ? '' : '/:id'}`]
  if (operation && more.length === 0) return operation
  throw new YookassaRefusal(404, 'not_found', `no such operation: ${req.method} /${path}`)
}

function keyOf({ headers }: IncomingMessage): string {
  const key = headers['idempotence-key']
  if (typeof key === 'string' && key !== '' && key.length <= 64) return key
  throw new YookassaRefusal(400, 'invalid_request', 'The key must have 1 to 64 characters', 'Idempotence-Key')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new YookassaRefusal(400, 'invalid_request', 'The body is not JSON')
  }
}
