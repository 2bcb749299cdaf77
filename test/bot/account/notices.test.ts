// Notices are sent once, retried while Telegram is unavailable, and given up when Telegram refuses them; no notice delays another.

import { eq, sql } from 'drizzle-orm'
import { Api, GrammyError } from 'grammy'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createNoticeSender } from '../../../src/bot/account/notices.ts'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import { notices, users } from '../../../src/db/schema.ts'
import { claimNotices, eventOf, writeNotice } from '../../../src/payments/notices.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Loop } from '../../../src/runtime/loop.ts'
import { loadTexts } from '../../../src/texts.ts'
import { ensureUser, type User } from '../../../src/users/user.ts'
import { claimNow } from '../../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../../support/database/database.ts'
import { failing } from '../../support/database/failing.ts'
import { type InFlight, inFlight } from '../../support/database/in-flight.ts'
import { handClock } from '../../support/runtime/clock.ts'

let database: TestDatabase
let statements: InFlight
let user: User
let other: User
let clock = handClock()
const texts = loadTexts()
const running: Loop[] = []
beforeAll(async () => {
  database = await freshDatabase('postgres')
  statements = inFlight(database.db)
  const person = { telegramId: 77, languageCode: 'en' }
  user = (await ensureUser(database.db, person, clock.now())).user
  other = (await ensureUser(database.db, { ...person, telegramId: 78 }, clock.now())).user
})
beforeEach(async () => {
  await database.db.delete(notices)
  clock = handClock()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
})
afterAll(() => database.close())

const catalog = createCatalog(models, {})
const deps = () => ({
  db: statements.db,
  clock,
  ids: randomIds,
  texts,
  log: silentLog,
  catalog,
  operator: { contact: undefined },
})
const credited = (event: string, { id: userId } = user) =>
  writeNotice(deps(), { kind: 'credited', event, userId, amount: 500_00n })

interface Sent {
  readonly chat_id: number
  readonly text: string
}

/** Starts a process that sends notices. @param answer runs for each message and throws to refuse it; by default Telegram accepts all */
function sender(answer: (sent: Sent) => Promise<void> = async () => undefined, db = statements.db) {
  const sent: Sent[] = []
  const api = new Api('1:token')
  api.config.use(async (_prev, _method, payload) => {
    const message = { chat_id: 0, text: '', ...payload }
    await answer(message)
    sent.push(message)
    // The sender ignores the result.
    return { ok: true, result: true } as never
  })
  const loop = createNoticeSender({ ...deps(), db, api })
  loop.start()
  running.push(loop)
  return sent
}

const refusal = (error_code: number, parameters: object = {}) =>
  new GrammyError('refused', { ok: false, error_code, description: 'no', parameters }, 'sendMessage', {})

const left = async () =>
  (await database.db.select().from(notices)).filter(({ doneAt }) => doneAt === null).map(eventOf)

/**
 * Advances the clock until the condition holds, but not during a statement: the lease of a late claim would not count.
 * @param stepMs less than half of a lease, after which a claim is given back
 */
async function until(isSo: () => boolean | Promise<boolean>, stepMs = 1000) {
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (looks > 3000) throw new Error('it did not happen')
    await statements.none()
    clock.advance(stepMs)
    await database.db.execute('select 1')
  }
}

it('a notice is sent once, in the private chat with the present balance, however often it is written and however many processes send', async () => {
  for (const _ of [1, 2]) await credited('one')
  const all = [sender(), sender(), sender()]
  await until(async () => (await left()).length === 0)
  const sent = all.flat()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    chat_id: 77,
    text: expect.stringMatching(/₽500\b(?!\.)[\s\S]*Balance: <b>₽0</),
  })
})

it('a notice is sent once when the database is unavailable for a while after the sending', async () => {
  await credited('one')
  const sent = sender(undefined, failing(database.db, 3, /^update$/))
  await until(async () => (await left()).length === 0)
  expect(sent).toHaveLength(1)
})

it('the end of a ban is told, unless the user is banned again', async () => {
  for (const { id: userId } of [user, other])
    await writeNotice(deps(), { kind: 'unbanned', event: `${userId}`, userId, amount: 0n })
  await database.db.update(users).set({ bannedAt: clock.now() }).where(eq(users.id, other.id))
  const sent = sender()
  await until(async () => (await left()).length === 0)
  expect(sent).toMatchObject([{ chat_id: 77, text: expect.stringContaining('use the bot again') }])
  await database.db.update(users).set({ bannedAt: null })
})

it('a notice to a chat that does not answer delays no other notice', async () => {
  await credited('stuck', other)
  const answered = Promise.withResolvers<void>()
  const sent = sender(({ chat_id }) => (chat_id === 78 ? answered.promise : Promise.resolve()))
  await until(async () => (await database.db.select().from(notices)).some(({ lease }) => lease !== null))
  for (let at = 0; at < 30; at += 1) await credited(`other ${at}`)
  await until(async () => (await left()).length === 1)
  expect(sent).toHaveLength(30)
  expect(await left()).toEqual(['stuck'])
  answered.resolve()
  await until(async () => (await left()).length === 0)
})

describe('a notice', () => {
  it.each([400, 403])('is not retried when Telegram refuses it with %d', async (code) => {
    await credited('refused')
    let tries = 0
    sender(async () => {
      tries += 1
      throw refusal(code)
    })
    await until(async () => (await left()).length === 0)
    expect(tries).toBe(1)
  })

  it('is sent after the pause that Telegram asks for, not before', async () => {
    await credited('later')
    const tried: number[] = []
    const begun = clock.now().getTime()
    const sent = sender(async () => {
      tried.push(clock.now().getTime() - begun)
      if (tried.length === 1) throw refusal(429, { retry_after: 600 })
    })
    await until(async () => (await database.db.select().from(notices))[0]?.attempts === 1)
    await until(() => sent.length === 1, 10_000)
    expect(tried).toHaveLength(2)
    expect((tried[1] ?? 0) - (tried[0] ?? 0)).toBeGreaterThanOrEqual(600_000)
  })

  it('is retried after growing pauses, a hundred times in all, while Telegram does not answer', async () => {
    await credited('unreachable')
    const tried: number[] = []
    sender(async () => {
      tried.push(clock.now().getTime())
      throw new Error('connection refused')
    })
    // Written, not only sent: the write that follows the attempt would undo the change below.
    await until(async () => (await database.db.select().from(notices))[0]?.attempts === 5)
    // The four pauses are at least 1, 2, 4 and 8 seconds.
    expect((tried[4] ?? 0) - (tried[0] ?? 0)).toBeGreaterThanOrEqual(15_000)
    await database.db.update(notices).set({ attempts: 99 })
    await until(async () => (await left()).length === 0)
    expect(tried).toHaveLength(6)
  })
})

it('a notice that was claimed by a process that ended is sent by another process', async () => {
  await credited('claimed')
  expect(await claimNotices(database.db, claimNow(deps()))).toHaveLength(1)
  const sent = sender()
  await until(() => sent.length === 1, 5000)
})

it('a notice of a kind that only a newer version knows is left for processes of that version', async () => {
  await credited('newer')
  await database.db.execute(sql`update notices set kind = 'of-a-newer-version'`)
  expect(await claimNotices(database.db, claimNow(deps()))).toEqual([])
  await credited('known')
  expect(await claimNotices(database.db, claimNow(deps()))).toMatchObject([{ key: 'credited:known' }])
  await database.db.execute(sql`update notices set kind = 'credited' where key = 'credited:newer'`)
  expect(await claimNotices(database.db, claimNow(deps()))).toMatchObject([
    { key: 'credited:newer', attempts: 0 },
  ])
})
