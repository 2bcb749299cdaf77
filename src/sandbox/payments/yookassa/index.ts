// A local double of YooKassa: its API at `/yookassa/v3`, its payment page, its notifications to the shop, and two routes for tests:
//
//   GET  /api/yookassa/payments        all payments, with their receipts
//   POST /api/yookassa/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the shop's owner
//                                      in the cabinet

import { z } from 'zod'
import { createBackground } from '../../background.ts'
import { type Handler, readBody, sendJson } from '../../http.ts'
import type { DoubleDeps, DoubleKind, PaymentDouble } from '../double.ts'
import { apiPath, createApi } from './api.ts'
import { checkoutPath, createCheckout } from './checkout.ts'
import { sendNotification } from './notifications.ts'
import { YookassaRefusal } from './refusal.ts'
import { openShop, type Shop } from './shop.ts'

const shopId = '100500'
export const secretKey = 'sandbox-yookassa-key'

export const yookassa: DoubleKind = { secrets: [secretKey], create: createYookassa }

function createYookassa(settings: DoubleDeps): PaymentDouble {
  const { baseUrl, publicUrl } = settings
  const closing = new AbortController()
  const { signal } = closing
  const background = createBackground('yookassa')
  const deps = { ...settings, closing: signal, notificationUrl: `${publicUrl}/payments/yookassa` }
  const shop = openShop({
    ...settings,
    folder: settings.folder('yookassa'),
    pageOf: (id) => `${baseUrl}${checkoutPath}?orderId=${id}`,
    notify: (event, object) => background.add(sendNotification(deps, event, object)),
  })
  const handlers = [
    createApi({ ...deps, shopId, secretKey, shop }),
    createCheckout(shop),
    createTestRoutes(shop),
  ]
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
