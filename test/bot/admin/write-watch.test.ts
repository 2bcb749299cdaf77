// A database that takes no writes is told to the operators by each process, without the database.

import { Api } from 'grammy'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWriteWatch } from '../../../src/bot/admin/outgoing.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { loadTexts } from '../../../src/texts.ts'
import { freshDatabase, type TestDatabase } from '../../support/database/database.ts'
import { failing } from '../../support/database/failing.ts'
import { handClock } from '../../support/runtime/clock.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.close())

it('the operators are told after a minute without a write, once, and when writes succeed again', async () => {
  const clock = handClock()
  const sent: string[] = []
  const api = new Api('1:x')
  api.config.use(async (_, __, payload) => {
    sent.push(`${Object(payload).chat_id}: ${Object(payload).text}`)
    return { ok: true, result: {} } as never
  })
  const deps = {
    api,
    clock,
    log: silentLog,
    texts: loadTexts(undefined),
    db: failing(database.db, 8, /^insert$/),
  }
  const operator = { ids: [7] }
  const watch = createWriteWatch(deps, { role: 'worker', operator })
  watch.start()
  const passes = async () => {
    await expect.poll(() => clock.isWaitedFor(15_000)).toBe(true)
    return sent.length
  }
  const told: number[] = [await passes()]
  for (let pass = 1; pass <= 9; pass += 1) {
    clock.advance(15_000)
    told.push(await passes())
  }
  expect(told).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2])
  expect(sent).toEqual([
    expect.stringMatching(/^7: 🚨 Процесс «worker» уже 1 мин не может ничего записать .*\(cut\)/),
    '7: ✅ Процесс «worker» снова пишет в базу данных, перерыв был 2 мин.',
  ])
  await watch.stop()
})
