// A local double of YooKassa: its API at `/yookassa/v3`, and its notifications to the shop, which have no signature.

import type { IncomingHttpHeaders } from 'node:http'
import { createDouble, type DoubleDeps } from '../double.ts'
import { openShop, yookassaRefusal } from './shop.ts'

const shopId = '100500'
export const secretKey = 'sandbox-yookassa-key'
const apiPath = '/yookassa/v3'

export function createYookassa(deps: DoubleDeps) {
  const double = createDouble(deps, {
    name: 'yookassa',
    title: 'ЮKassa',
    apiPath,
    headers: { authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}` },
    open: (tell) => openShop(deps, (event, object) => tell({ type: 'notification', event, object })),
    refusal: (status, description) => yookassaRefusal(status, 'internal_server_error', description),
    operations(shop, { pathname, searchParams }, body, headers) {
      const id = /\/payments\/([^/]+)$/.exec(pathname)?.[1] ?? ''
      return {
        'POST /payments': ['create', () => shop.create(keyIn(headers), body)],
        [`GET /payments/${id}`]: ['read', () => shop.view(shop.find(id))],
        'POST /refunds': ['refund', () => shop.refund(keyIn(headers), body)],
        'GET /refunds': ['list', () => shop.listRefunds(Object.fromEntries(searchParams))],
      }
    },
  })
  const url = `${deps.baseUrl}${apiPath}`
  const env = { YOOKASSA_URL: url, YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey }
  return { ...double, env }
}

function keyIn({ 'idempotence-key': key }: IncomingHttpHeaders): string {
  if (typeof key === 'string' && key !== '' && key.length <= 64) return key
  throw yookassaRefusal(400, 'invalid_request', 'The key must have 1 to 64 characters', 'Idempotence-Key')
}
