// A local double of YooKassa: its API at `/yookassa/v3`, and its notifications to the shop, which have no signature.

import type { IncomingMessage } from 'node:http'
import { createDouble, type DoubleDeps, type Operation } from '../double.ts'
import { openShop, type Shop, yookassaRefusal } from './shop.ts'

const shopId = '100500'
export const secretKey = 'sandbox-yookassa-key'
const apiPath = '/yookassa/v3'

export function createYookassa(deps: DoubleDeps) {
  const { handler, close } = createDouble(deps, {
    name: 'yookassa',
    title: 'ЮKassa',
    apiPath,
    open: (tell) => openShop(deps, (event, object) => tell({ type: 'notification', event, object })),
    operationOf,
    refusal: (status, description) => yookassaRefusal(status, 'internal_server_error', description),
  })
  return {
    handler,
    close,
    env: {
      YOOKASSA_URL: `${deps.baseUrl}${apiPath}`,
      YOOKASSA_SHOP_ID: shopId,
      YOOKASSA_SECRET_KEY: secretKey,
    },
  }
}

function operationOf(shop: Shop, { method, headers }: IncomingMessage, url: URL, body: unknown): Operation {
  const wanted = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
  if (headers.authorization !== wanted)
    throw yookassaRefusal(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization')
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
  throw yookassaRefusal(404, 'not_found', `no such operation: ${method} ${path}`)
}

function keyIn({ 'idempotence-key': key }: IncomingMessage['headers']): string {
  if (typeof key === 'string' && key !== '' && key.length <= 64) return key
  throw yookassaRefusal(400, 'invalid_request', 'The key must have 1 to 64 characters', 'Idempotence-Key')
}
