// The secrets of processes with different keys, which share one webhook while one version or key replaces another.

import { Api } from 'grammy'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '../../src/runtime/log.ts'
import { createWebhookSecrets, createWebhookWatch } from '../../src/updates/webhook.ts'
import { freshDatabase } from '../support/database/database.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { handClock } from '../support/runtime/clock.ts'

const minute = 60_000
let database: Awaited<ReturnType<typeof freshDatabase>>
const clock = handClock()
beforeEach(async () => {
  database = await freshDatabase('postgres')
})
afterEach(() => database.close())

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
})

it('the database shows no secret', async () => {
  await secretsOf('not for the backup').announce()
  const rows = await database.db.execute('select * from duties', 'objects')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('not for the backup')
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
  const url = 'https://bot.example/telegram'
  const api = new Api('1:a')
  // The double knows the result type of each method; the generic type does not.
  api.config.use(async () => ({ ok: true, result: { url } }) as never)
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
