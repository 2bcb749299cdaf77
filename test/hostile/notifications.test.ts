// Forged notifications: requests that claim to come from Telegram, from the gateway or from a payment provider.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

/** Sends each body with one of the types in turn. @returns the names of the rows with another status or text */
async function posted(path: string, status: number): Promise<string[]> {
  const wrong = rows.map(async ([name, body], at) => {
    const type = types[at % types.length]
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const request = { method: 'POST', body: new Uint8Array(body), headers }
    const answer = await fetch(`${chat.sandbox.url}/app${path}`, request)
    return /^(ok|not available)$/.test(await answer.text()) && answer.status === status ? [] : [name]
  })
  return (await Promise.all(wrong)).flat()
}

it('a forged callback of the gateway is confirmed with the token of a settled order, and refused with another one', async () => {
  expect(await posted(`/callbacks/${token}`, 200)).toEqual([])
  expect(await posted(`/callbacks/${'0'.repeat(32)}`, 404)).toEqual([])
})

it('a forged notification of a payment provider is confirmed', async () => {
  for (const name of ['yookassa', 'platega', 'cryptopay'])
    expect([name, ...(await posted(`/payments/${name}`, 200))]).toEqual([name])
})

it('a request to an unknown path is answered with 404', async () => {
  for (const path of noPaths) {
    const answers = ['GET', 'POST', 'PUT', 'DELETE'].map(async (method) => {
      const answer = await fetch(`${chat.sandbox.url}/app${path}`, { method })
      await answer.text()
      return answer.status
    })
    expect([path, ...(await Promise.all(answers))]).toEqual([path, 404, 404, 404, 404])
  }
})

it('a forged request to the webhook stores nothing: it is confirmed with the right secret, and refused without it', async () => {
  const deps = { db: chat.sandbox.app.db, clock: systemClock }
  const secret = 'shared with Telegram'
  const intake = createIntake(secret, createWebhookSecrets(deps, secret), async (received) => {
    await storeUpdates(deps, received)
  })
  const server = createServer((req, res) => {
    intake.take(req).then(
      (status) => end(res, status),
      () => end(res, 500),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`
  const send = async (body: Buffer, given?: string) => {
    const headers: Record<string, string> =
      given === undefined ? {} : { 'x-telegram-bot-api-secret-token': given }
    return (await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })).status
  }
  const stored = await chat.sandbox.app.db.$count(updates)
  const invalid = noUpdates.map((body) => [body, Buffer.from(body)] as const)
  for (const [name, body] of [...rows, ...invalid])
    expect([name, await send(body, secret)]).toEqual([name, 200])
  const wrong = [
    undefined,
    '',
    'x',
    ' ',
    '0',
    'null',
    'undefined',
    'A'.repeat(43),
    '__proto__',
    'x'.repeat(4000),
  ]
  for (const given of wrong)
    expect([given, await send(Buffer.from('{"update_id":1}'), given)]).toEqual([given, 401])
  expect(await chat.sandbox.app.db.$count(updates)).toBe(stored)
  server.close()
})
