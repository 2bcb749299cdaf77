// The alarm about the webhook: Telegram keeps updates for minutes, and reports errors or sends none.

import { Api } from 'grammy'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createWebhookCheck } from '../../src/updates/webhook.ts'
import { freshDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const clock = handClock()
const metrics = createMetrics()
let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.close())

let info: object = {}
const api = new Api('1:a')
// The double knows the result type of each method; the generic type does not.
api.config.use(async () => ({ ok: true, result: info }) as never)
const check = createWebhookCheck({ api, metrics })
const now = () => clock.now()
const seconds = () => Math.floor(now().getTime() / 1000)
const look = async (ms = minute) => {
  clock.advance(ms)
  return check(database.db, now())
}

it('a webhook at which Telegram fails for three minutes is a trouble, in its words without addresses', async () => {
  const failing = () => {
    info = {
      pending_update_count: 2,
      last_error_date: seconds(),
      last_error_message: 'Wrong response from https://bot.example/telegram: 502 Bad Gateway',
    }
  }
  for (const _ of [0, 1, 2]) {
    failing()
    expect(await look()).toEqual([])
  }
  failing()
  expect(await look()).toEqual([{ kind: 'webhook', fact: '2: Wrong response from *** 502 Bad Gateway' }])
  const shown = await metrics.render()
  expect(shown).toContain('bot_webhook_pending_updates 2')
  expect(shown).toContain(`bot_webhook_last_error_timestamp_seconds ${seconds() - 60}`)
  info = { ...info, pending_update_count: 0 }
  expect(await look()).toEqual([])
})

it('updates that wait at Telegram while none arrives for three minutes are a trouble, also without an error', async () => {
  info = { pending_update_count: 1 }
  expect(await look(20 * minute)).toEqual([])
  expect(await look(2 * minute)).toEqual([])
  expect(await look()).toEqual([{ kind: 'webhook', fact: '1' }])
})

it('the errors of a restart are no trouble while updates arrive after it', async () => {
  info = { pending_update_count: 1, last_error_date: seconds() + 20 * 60, last_error_message: '502' }
  expect(await look(20 * minute)).toEqual([])
  for (const id of [1, 2, 3, 4, 5]) {
    await database.db.insert(updates).values({ id, body: '{}', receivedAt: now(), dueAt: now() })
    expect(await look()).toEqual([])
  }
})
