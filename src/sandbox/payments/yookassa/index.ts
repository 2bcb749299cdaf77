// A local double of YooKassa: its API at `/yookassa/v3`, its payment page, its notifications to the shop (a POST without a signature, repeated
// until the answer is 200; faults of the operation `notification` apply to it), and two routes for tests:
//
//   GET  /api/yookassa/payments        all payments, with their receipts
//   POST /api/yookassa/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the shop's owner
//                                      in the cabinet

import { z } from 'zod'
import type { Clock } from '../../../runtime/clock.ts'
import type { Faults } from '../../faults.ts'
import { type Handler, readBody, sendJson } from '../../http.ts'
import { createBackground, jsonNotice, notify } from '../../notices.ts'
import { apiPath, createApi } from './api.ts'
import { checkoutPath, createCheckout } from './checkout.ts'
import { YookassaRefusal } from './requests.ts'
import { openShop, type Shop } from './shop.ts'

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
