// Forged notifications: requests that claim to come from Telegram, from the gateway or from a payment provider.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, topUps, updates } from '../../src/db/schema.ts'
import { end } from '../../src/http/request.ts'
import { createIntake } from '../../src/http/routes.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { createWebhookSecrets } from '../../src/updates/webhook.ts'
import { order } from '../support/users/order.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { bodies, noPaths, noUpdates } from './tables/notifications.ts'

const rows = Object.entries(bodies)
const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', '']

let chat: HostileChat
let token = ''
let before: unknown
beforeAll(async () => {
  chat = await openHostileChat()
  const anna = await chat.sandbox.user('Anna')
  await order(chat.sandbox, anna, '/image a fox')
  await anna.sends('/topup 500')
  await anna.taps(/YooKassa/)
  await anna.seesButton(/^Pay /)
  token = (await chat.sandbox.app.db.select().from(generations))[0]?.callbackToken ?? ''
  before = await standing()
})
afterAll(async () => {
  expect(await standing()).toEqual(before)
  await chat.isWell(true)
  await chat.close()
})

/** The states of orders and top-ups, which a forged notification may not change. */
async function standing() {
  const { db } = chat.sandbox.app
  const orders = (await db.select().from(generations)).map(({ state, delivery, taskId }) => [
    state,
    delivery,
    taskId,
  ])
  const paid = (await db.select().from(topUps)).map(({ state, credit }) => [state, credit])
  return { orders, paid }
}

async function post(path: string, body: Buffer): Promise<number[]> {
  const send = async (type: string) => {
    const headers = type === '' ? {} : { 'content-type': type }
    const answer = await fetch(`${chat.sandbox.url}/app${path}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
    })
    expect(await answer.text()).toMatch(/^(ok|not available)$/)
    return answer.status
  }
  return Promise.all(types.map(send))
}
const all = (status: number) => types.map(() => status)

describe('a forged callback of the gateway', () => {
  it.each(rows)('with the token of a settled order is answered with 200: %s', async (_, body) => {
    expect(await post(`/callbacks/${token}`, body)).toEqual(all(200))
  })

  it.each(rows)('with an unknown token is answered with 404: %s', async (_, body) => {
    expect(await post(`/callbacks/${'0'.repeat(32)}`, body)).toEqual(all(404))
  })
})

describe('a forged notification of a payment provider', () => {
  it.each(rows)('is answered with 200: %s', async (_, body) => {
    expect(await post('/payments/yookassa', body)).toEqual(all(200))
  })
})

describe('a request to an unknown path', () => {
  it.each(noPaths)('is answered with 404: %s', async (path) => {
    const answers = ['GET', 'POST', 'PUT', 'DELETE'].map(async (method) => {
      const answer = await fetch(`${chat.sandbox.url}/app${path}`, { method })
      await answer.text()
      return answer.status
    })
    expect(await Promise.all(answers)).toEqual([404, 404, 404, 404])
  })
})

describe('a forged request to the webhook of Telegram', () => {
  const server = createServer()
  let url = ''
  const secret = 'shared with Telegram'
  const stored = async () => chat.sandbox.app.db.$count(updates)
  beforeAll(async () => {
    const deps = { db: chat.sandbox.app.db, clock: systemClock }
    const intake = createIntake(secret, createWebhookSecrets(deps, secret), async (received) => {
      await storeUpdates(deps, received)
    })
    server.on('request', (req, res) => {
      intake.take(req).then(
        (status) => end(res, status),
        () => end(res, 500),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`
  })
  afterAll(() => server.close())

  const send = async (body: Buffer, given?: string) => {
    const headers: Record<string, string> =
      given === undefined ? {} : { 'x-telegram-bot-api-secret-token': given }
    const was = await stored()
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })
    expect(await stored()).toBe(was)
    return answer.status
  }

  it.each(rows)('with the right secret is confirmed and not stored: %s', async (_, body) => {
    expect(await send(body, secret)).toBe(200)
  })

  it.each(noUpdates)(
    'with the right secret and an invalid update is confirmed and not stored: %s',
    async (body) => {
      expect(await send(Buffer.from(body), secret)).toBe(200)
    },
  )

  it.each([undefined, '', 'x', ' ', '0', 'null', 'undefined', 'A'.repeat(43), '__proto__', 'x'.repeat(4000)])(
    'with the wrong secret %s is answered with 401',
    async (given) => expect(await send(Buffer.from('{"update_id":1}'), given)).toBe(401),
  )
})
