// The webhook: the secrets of processes with different keys, the watch that keeps the webhook set, and the alarm when no updates arrive.

import { Api, GrammyError } from 'grammy'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { leaderLeases, updates } from '../../src/db/schema.ts'
import { createMetrics } from '../../src/metrics.ts'
import { tokenCheck } from '../../src/operator/checks.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createWebhookCheck, createWebhookSecrets, createWebhookWatch } from '../../src/updates/webhook.ts'
import { freshDatabase } from '../support/database/database.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const ourUrl = 'https://bot.example/telegram'
let clock = handClock()
const database = await freshDatabase('postgres')
beforeEach(async () => {
  await database.db.delete(leaderLeases)
  clock = handClock()
})
afterAll(() => database.close())

/** A Telegram that answers everything with this. */
function answering(answer: () => object): Api {
  const api = new Api('1:a')
  // The double knows the result type of each method; the generic type does not.
  api.config.use(async () => ({ ok: true, result: answer() }) as never)
  return api
}

const secretsOf = (own: string) => createWebhookSecrets({ db: database.db, clock }, own)

it('a secret is taken by processes with another one while a process that has it lives, and three minutes longer', async () => {
  const [old, young] = [secretsOf('old'), secretsOf('young')]
  expect(await young.isOfAnother('old')).toBe(false)
  for (let minutes = 0; minutes < 10; minutes += 1) {
    clock.advance(minute)
    await old.announce()
    expect(await young.isOfAnother('old')).toBe(true)
    expect(await old.isOfAnother('young')).toBe(false)
  }
  await young.announce()
  clock.advance(1000)
  expect(await old.isOfAnother('young')).toBe(true)
  clock.advance(3 * minute - 1001)
  expect(await young.isOfAnother('old')).toBe(true)
  clock.advance(1)
  expect(await young.isOfAnother('old')).toBe(false)
  const rows = await database.db.execute('select * from duties', 'objects')
  expect(JSON.stringify(rows), 'the database shows no secret').not.toMatch(/\b(old|young)\b/)
})

it('any number of made-up secrets cost one statement per second', async () => {
  const observed = observedDatabase(database.url)
  const secrets = createWebhookSecrets({ db: observed.db, clock }, 'own')
  for (let tenth = 0; tenth < 50; tenth += 1) {
    const tried = Array.from({ length: 20 }, (_, at) => secrets.isOfAnother(`${tenth} ${at}`))
    expect(new Set(await Promise.all(tried))).toEqual(new Set([false]))
    clock.advance(100)
  }
  expect(observed.statements).toHaveLength(5)
  await observed.close()
})

it('the webhook is set again within a minute after updates came with the secret of another process', async () => {
  const [url, api] = [ourUrl, answering(() => ({ url: ourUrl }))]
  const [old, secrets] = [secretsOf('old'), secretsOf('young')]
  let announced = 0
  const loop = createWebhookWatch({
    ...{ api, db: database.db, clock, secrets, url, random: () => 0.5, log: silentLog },
    announce: async () => {
      announced += 1
    },
    onFatal: () => undefined,
  })
  loop.start()
  await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
  await old.announce()
  expect(await secrets.isOfAnother('old')).toBe(true)
  expect(await old.isOfAnother('young')).toBe(true)
  for (const times of [1, 1]) {
    clock.advance(minute)
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    expect(announced).toBe(times)
  }
  await loop.stop()
})

const refused = (error_code: number) =>
  new GrammyError('refused', { ok: false, error_code, description: 'no' }, 'getWebhookInfo', {})

/**
 * Watches a webhook for minutes.
 * @param answer of Telegram about the webhook, or an error that it throws
 * @returns after each minute how often the webhook was set, and how many errors ended the process; and the alarms
 */
async function watched(minutes: number, answer: () => object) {
  const api = answering(answer)
  const { db } = database
  const [announced, fatal]: [number[], unknown[]] = [[], []]
  const onFatal = (error: unknown) => void fatal.push(error)
  const deps = { api, db, clock, random: () => 0.5, log: silentLog, onFatal }
  const loop = createWebhookWatch({
    ...deps,
    secrets: createWebhookSecrets(deps, 'own'),
    url: ourUrl,
    announce: async () => void announced.push(1),
  })
  loop.start()
  const [setAgain, ended]: [number[], number[]] = [[], []]
  for (let passed = 0; passed < minutes; passed += 1) {
    if (passed > 0) clock.advance(minute)
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    setAgain.push(announced.length)
    ended.push(fatal.length)
  }
  await loop.stop()
  const alarms = await tokenCheck(db, clock.now())
  return { setAgain, ended, alarms }
}

it('a webhook is checked once a minute, and set again if it was replaced, or once for each time at which an update was refused', async () => {
  const message = 'Wrong response from the webhook: 401 Unauthorized'
  const refusedAt = (last_error_date: number) => ({ last_error_date, last_error_message: message })
  const broken = { last_error_date: 1, last_error_message: 'Connection refused' }
  const replaced = { url: 'https://other.example/telegram' }
  for (const [told, times, troubles] of [
    [[{}, {}, {}], [0, 0, 0], []],
    [[{}, broken, refusedAt(2), refusedAt(2), refusedAt(3)], [0, 0, 1, 1, 2], []],
    [[replaced, replaced, {}, replaced], [1, 2, 2, 3], [expect.anything()]],
  ] as const) {
    let looks = 0
    const { setAgain, alarms } = await watched(told.length, () => {
      looks += 1
      return { url: ourUrl, ...told[looks - 1] }
    })
    expect([setAgain, looks, alarms]).toEqual([times, told.length, troubles])
  }
})

it('a webhook that cannot be checked ends no process; a withdrawn token is reported once, however long the process takes to end', async () => {
  const answers = [refused(502)]
  const { ended } = await watched(4, () => {
    throw answers.shift() ?? refused(401)
  })
  expect(ended).toEqual([0, 1, 1, 1])
})

let info: object = {}
const metrics = createMetrics()
const check = createWebhookCheck({ api: answering(() => info), metrics })
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
  info = { pending_update_count: 0 }
  expect(await look()).toEqual([])
  expect(await metrics.render()).toContain('bot_webhook_last_error_timestamp_seconds 0')
  // Ten minutes after the last trouble begins another one.
  clock.advance(9 * minute)
  failing()
  expect(await look(0)).toEqual([])
})

it('updates that wait at Telegram while none arrives for three minutes are a trouble, whatever error was long ago', async () => {
  info = { pending_update_count: 1, last_error_date: 1, last_error_message: '502' }
  expect(await look(20 * minute)).toEqual([])
  await database.db.insert(updates).values({ id: 99, body: '{}', receivedAt: now(), dueAt: now() })
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
