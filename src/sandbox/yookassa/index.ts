// A look-alike of YooKassa: the API at `/yookassa/v3`, the page to pay on, the notices to the shop, and a way in for tests:
//
//   GET  /api/yookassa/payments        every payment, with its receipt
//   POST /api/yookassa/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what a person does on the page, or the shop's owner
//                                      in the cabinet

import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { createBackground } from '../background.ts'
import type { Faults } from '../faults.ts'
import { type Handler, readBody, sendJson } from '../http.ts'
import { checkoutPath, createCheckout } from './checkout.ts'
import { sendNotice } from './notices.ts'
import { YookassaRefusal } from './refusal.ts'
import { createApi } from './room.ts'
import { openShop, type Shop } from './shop.ts'

export interface YookassaSettings {
  readonly shopId: string
  readonly secretKey: string
  readonly folder: string
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  /** Where the sandbox is reached, without a path. */
  readonly baseUrl: () => string
  readonly noticeUrl: () => string
}

export interface LocalYookassa {
  readonly handler: Handler
  close(): Promise<void>
}

const act = z.strictObject({ action: z.enum(['pay', 'cancel', 'refund']) })

export function createYookassa(settings: YookassaSettings): LocalYookassa {
  const closing = new AbortController()
  const { signal } = closing
  const background = createBackground('yookassa')
  const deps = { ...settings, closing: signal }
  const shop = openShop({
    ...settings,
    pageOf: (id) => `${settings.baseUrl()}${checkoutPath}?orderId=${id}`,
    tell: (event, object) => background.add(sendNotice(deps, event, object)),
  })
  const handlers = [createApi({ ...deps, shop }), createCheckout(shop), createBackDoor(shop)]
  return {
    async handler(req, res, url) {
      for (const handler of handlers) if (await handler(req, res, url)) return true
      return false
    },
    async close() {
      closing.abort()
      await background.done()
      await shop.save()
    },
  }
}

const door = '/api/yookassa/payments'

function createBackDoor(shop: Shop): Handler {
  return async (req, res, { pathname }) => {
    if (pathname === door && req.method === 'GET') sendJson(res, 200, shop.list())
    else if (pathname.startsWith(`${door}/`) && req.method === 'POST') {
      await decide(shop, pathname.slice(door.length + 1), String(await readBody(req))).then(
        (payment) => sendJson(res, 200, payment),
        (error: unknown) => sendJson(res, statusOf(error), { error: String(error) }),
      )
    } else return false
    return true
  }
}

async function decide(shop: Shop, id: string, text: string) {
  const { action } = act.parse(JSON.parse(text))
  shop.decide(id, action)
  await shop.save()
  return shop.find(id)
}

const statusOf = (error: unknown): number => (error instanceof YookassaRefusal ? error.status : 400)
