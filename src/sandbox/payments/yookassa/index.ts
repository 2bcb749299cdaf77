// A local double of YooKassa: its API at `/yookassa/v3`, its payment page, its notifications to the shop (a POST without a signature, repeated
// until the answer is 200), and two routes for tests:
//
//   GET  /api/yookassa/payments        all payments, with their receipts
//   POST /api/yookassa/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the shop's owner
//                                      in the cabinet

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type ErrorFault, underFault } from '../../faults.ts'
import { type Handler, parseJson, readBody, sendJson } from '../../http.ts'
import { createBackground, notify } from '../../notices.ts'
import { showCheckout } from './checkout.ts'
import { checkoutPath, openShop, type Shop, type YookassaDeps, YookassaRefusal } from './shop.ts'

const shopId = '100500'
export const secretKey = 'sandbox-yookassa-key'
const notificationPauseMs = 500
const apiPath = '/yookassa/v3'
const testPath = '/api/yookassa/payments'

interface Deps extends YookassaDeps {
  readonly shop: Shop
  readonly closing: AbortSignal
}

export function createYookassa(settings: YookassaDeps) {
  const { baseUrl, publicUrl, faults } = settings
  const ended = new AbortController()
  const background = createBackground('yookassa')
  const tell = (event: string, object: unknown) => {
    const notice = { type: 'notification', event, object }
    const fault = faults.take('yookassa', 'notification')
    return notify(deps, `${publicUrl}/payments/yookassa`, notice, fault, notificationPauseMs)
  }
  const shop = openShop(settings, (event, object) => background.add(tell(event, object)))
  const deps: Deps = { ...settings, shop, closing: ended.signal }
  const routes = [
    [`${apiPath}/`, (req, res, url) => answerApi(deps, req, res, url)],
    [checkoutPath, (req, res, url) => showCheckout(shop, req, res, url)],
    [testPath, (req, res, url) => answerTest(shop, req, res, url)],
  ] satisfies [string, (...call: Parameters<Handler>) => Promise<void>][]
  const handler: Handler = async (req, res, url) => {
    const [, answer] = routes.find(([path]) => url.pathname.startsWith(path)) ?? []
    if (!answer) return false
    await answer(req, res, url).catch((error: unknown) => {
      if (!(error instanceof YookassaRefusal)) throw error
      sendJson(res, error.status, error.body)
    })
    return true
  }
  return {
    handler,
    env: {
      YOOKASSA_URL: `${baseUrl}${apiPath}`,
      YOOKASSA_SHOP_ID: shopId,
      YOOKASSA_SECRET_KEY: secretKey,
    },
    async close() {
      ended.abort()
      await background.done()
      await shop.save()
    },
  }
}

const testAction = z.strictObject({ action: z.enum(['pay', 'cancel', 'refund']) })

async function answerTest(shop: Shop, req: IncomingMessage, res: ServerResponse, { pathname }: URL) {
  if (req.method !== 'POST') return sendJson(res, 200, shop.list())
  const id = pathname.slice(testPath.length + 1)
  shop.decide(id, testAction.parse(parseJson(String(await readBody(req)))).action)
  await shop.save()
  sendJson(res, 200, shop.find(id))
}

/** The signal of a hang is not that of the caller, so a request is carried out after it even if its caller has hung up. */
async function answerApi(deps: Deps, req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
  const { shop, faults, clock, closing: signal } = deps
  const body = parseJson(String(await readBody(req)))
  const { name, act } = operationOf(shop, req, url, body)
  const run = async () => {
    const answer = act()
    await shop.save()
    return { type: 'application/json; charset=utf-8', text: JSON.stringify(answer) }
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
  const reply = await underFault(faults.take('yookassa', name), faulty, run)
  if (reply) res.writeHead(200, { 'content-type': reply.type }).end(reply.text)
  else res.destroy()
}

interface Operation {
  /** The name that scripted faults use. */
  readonly name: string
  act(): unknown
}

function operationOf(shop: Shop, { method, headers }: IncomingMessage, url: URL, body: unknown): Operation {
  const wanted = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
  if (headers.authorization !== wanted)
    throw new YookassaRefusal(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization')
  const path = url.pathname.slice(apiPath.length)
  const id = /^\/payments\/([^/]+)$/.exec(path)?.[1]
  const operations: Readonly<Record<string, Operation>> = {
    'POST /payments': { name: 'create', act: () => shop.create(keyIn(headers), body) },
    [`GET /payments/${id}`]: { name: 'read', act: () => shop.view(shop.find(id ?? '')) },
    'POST /refunds': { name: 'refund', act: () => shop.refund(keyIn(headers), body) },
    'GET /refunds': { name: 'list', act: () => shop.listRefunds(Object.fromEntries(url.searchParams)) },
  }
  const operation = operations[`${method} ${path}`]
  if (operation) return operation
  throw new YookassaRefusal(404, 'not_found', `no such operation: ${method} ${path}`)
}

function keyIn({ 'idempotence-key': key }: IncomingMessage['headers']): string {
  if (typeof key === 'string' && key !== '' && key.length <= 64) return key
  throw new YookassaRefusal(400, 'invalid_request', 'The key must have 1 to 64 characters', 'Idempotence-Key')
}
