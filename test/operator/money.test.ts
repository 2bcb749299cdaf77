// What operators do: corrections, refunds, reports, switches and promo codes, each once, with its row in the log. On a real PostgreSQL.

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoReel } from '../../src/catalog/video-reel.ts'
import type { Database } from '../../src/db/client.ts'
import { artifacts, generations, reports, transfers } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { refundOrder } from '../../src/ledger/moves.ts'
import { recordAction, setSwitch, userSubject } from '../../src/operator/actions.ts'
import { correct } from '../../src/operator/corrections.ts'
import { findPeople } from '../../src/operator/people.ts'
import { readCode, readDay } from '../../src/operator/promo.ts'
import { type Allowance, leftOf, refundGeneration } from '../../src/operator/refunds.ts'
import { declineReport, fileReport, findReport, refundReport } from '../../src/operator/reports.ts'
import { quoteDraft } from '../../src/orders/confirm.ts'
import { type Generation, mayReport } from '../../src/orders/generation.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { modelSwitch } from '../../src/sales/sales.ts'
import { ensureUser } from '../../src/users/user.ts'
import { confirm } from '../support/worlds/confirm.ts'
import {
  createWorld,
  type GenerationWorld,
  json,
  order,
  quoteFor,
  reread,
  step,
  userWith,
} from '../support/worlds/generations.ts'
import { actionsOn, boss, paidGeneration, reportOf } from '../support/worlds/operator.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.deps.db)).toEqual([])
  await world.close()
})

const by = boss
const freshKey = () => randomIds.next()
const availableOf = async (userId: bigint) => (await readBalance(world.deps.db, userId)).available
const refundsOf = async (generationId: string) => {
  const which = eq(transfers.generationId, generationId)
  const found = await world.deps.db.select().from(transfers).where(which).orderBy(transfers.id)
  return found.filter(({ kind }) => kind === 'refund')
}

describe('a correction', () => {
  it('adds: 10 ₽ + 500 ₽ = 510 ₽', async () => {
    const user = await userWith(world, 10_00n)
    const one = { key: freshKey(), by, userId: user.id, amount: 500_00n, reason: 'a bad day' }
    expect(await correct(world.deps, one)).toBe('done')
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ available: 510_00n, held: 0n })
    expect((await actionsOn(world, userSubject(user.id))).at(-1)).toMatchObject({
      operatorId: boss,
      action: 'grant',
      reason: 'a bad day',
      details: { amount: '50000' },
    })
  })

  it('is refused above the balance, without a row in the log', async () => {
    const user = await userWith(world, 5_00n)
    const before = await actionsOn(world, userSubject(user.id))
    const one = { key: freshKey(), by, userId: user.id, amount: -5_01n, reason: 'greed' }
    expect(await correct(world.deps, one)).toBe('insufficient')
    expect(await availableOf(user.id)).toBe(5_00n)
    expect(await actionsOn(world, userSubject(user.id))).toEqual(before)
  })

  it('is idempotent by its key with concurrent calls', async () => {
    const user = await userWith(world, 1_00n)
    const one = { key: freshKey(), by, userId: user.id, amount: 100_00n, reason: 'once' }
    const all = await Promise.all(Array.from({ length: 10 }, () => correct(world.deps, one)))
    expect(all.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'before'), 'done'])
    expect(await availableOf(user.id)).toBe(101_00n)
    expect(await actionsOn(world, userSubject(user.id))).toHaveLength(2)
  })

  it('of an unknown user is refused', async () => {
    const one = { key: freshKey(), by, userId: 999_999n, amount: 1n, reason: 'who?' }
    expect(await correct(world.deps, one)).toBe('unknown-user')
  })
})

/** An order of a new user who had 100 ₽: 92.45 ₽ were charged. */
const paid = async () => paidGeneration(world, await userWith(world, 100_00n))
const start = 100_00n
const price = 92_45n
/** What the delivery does when a file is lost: the first refund of the order, without a row in the log. */
async function losesFile(order: Generation, amount: bigint): Promise<void> {
  const lost = { generationId: order.id, position: 1, url: 'https://a.example/lost.mp4' }
  await world.deps.db.insert(artifacts).values(lost)
  await writesRefund({ ...order, refunded: null }, amount, '#refund-lost')
}

function writesRefund(order: Generation, amount: bigint, note: string) {
  const mark = sql`update generations set refunded = coalesce(refunded, 0) + ${amount}::bigint where id = ${order.id} returning id`
  return post(world.deps.db, refundOrder({ ...order, amount }, note), world.clock.now(), mark)
}

describe('a refund of an order', () => {
  const refundAll = ({ id: generationId }: Generation) =>
    refundGeneration(world.deps, { by, generationId, reason: 'blank' })
  const refundPart = ({ id: generationId }: Generation, amount: bigint, before: bigint) =>
    refundGeneration(world.deps, { by, generationId, reason: 'blurred', part: { amount, before } })

  it('returns the captured amount: 7,55 ₽ + 92,45 ₽ = 100 ₽', async () => {
    const order = await paid()
    expect([order.captured, await availableOf(order.userId)]).toEqual([price, 7_55n])
    expect(await refundAll(order)).toMatchObject({ ok: true, amount: price })
    expect(await availableOf(order.userId)).toBe(start)
    const refunded = { state: 'succeeded', captured: price, refunded: price }
    expect(await reread(world, order)).toMatchObject(refunded)
    const transfer = { debit: 'revenue', credit: 'available', note: 'blank' }
    expect(await refundsOf(order.id)).toMatchObject([transfer])
    const details = { amount: '9245', user: `${order.userId}` }
    expect(await actionsOn(world, `generation:${order.id}`)).toMatchObject([
      { operatorId: boss, action: 'refund', reason: 'blank', details },
    ])
  })

  it('is made in parts, the rest last, and never above the captured amount: 10 + 30 + 52,45 = 92,45 ₽', async () => {
    const order = await paid()
    const { id, userId } = order
    const first = await Promise.all(Array.from({ length: 6 }, () => refundPart(order, 10_00n, 0n)))
    expect(first.filter(({ ok }) => ok)).toMatchObject([{ amount: 10_00n }])
    expect(await refundPart(order, 10_00n, 0n)).toEqual({ ok: false, reason: 'changed' })
    expect(await refundPart(order, 82_46n, 10_00n)).toEqual({ ok: false, reason: 'too-much' })
    expect(await refundPart(order, 30_00n, 10_00n)).toMatchObject({ ok: true })
    expect(await availableOf(userId)).toBe(47_55n)
    expect(await refundAll(order)).toMatchObject({ ok: true, amount: 52_45n })
    expect(await refundPart(order, 1n, price)).toEqual({ ok: false, reason: 'already' })
    expect(await availableOf(userId)).toBe(start)
    const keys = [`refund:${id}`, `refund:${id}:1000`, `refund:${id}:4000`]
    expect((await refundsOf(id)).map(({ key }) => key)).toEqual(keys)
    expect(await actionsOn(world, `generation:${id}`)).toHaveLength(3)
  })

  it('is not made in part while the result is being delivered, when lost files may be refunded', async () => {
    const order = await paid()
    const sets = (delivery: 'pending' | 'delivered') =>
      world.deps.db
        .update(generations)
        .set({ delivery, nextCheckAt: new Date() })
        .where(eq(generations.id, order.id))
    await sets('pending')
    const refund = await refundPart(order, 1_00n, 0n)
    await sets('delivered')
    expect(refund).toEqual({ ok: false, reason: 'in-delivery' })
  })

  it('in part without an action in the log is found by the audit', async () => {
    const order = await paid()
    await refundPart(order, 10_00n, 0n)
    await writesRefund({ ...order, refunded: 10_00n }, 5_00n, 'x')
    expect(await audit(world.deps.db)).toMatchObject([
      { subject: order.id, fact: 'refunded 15.00 ₽, first 10.00 ₽, actions 10.00 ₽' },
    ])
    const action = { by, action: 'refund', subject: `generation:${order.id}` } as const
    await recordAction(world.deps, { ...action, details: { amount: '500' } })
  })

  it('is refused for a running, a failed and an unknown order', async () => {
    const user = await userWith(world, start)
    world.reset()
    const running = await order(world, user)
    expect(await refundAll(running)).toEqual({ ok: false, reason: 'nothing-captured' })
    world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
    await step(world)
    expect(await reread(world, running)).toMatchObject({ state: 'failed' })
    expect(await refundAll(running)).toEqual({ ok: false, reason: 'nothing-captured' })
    const nobody = { ...running, id: '0000000000' }
    expect(await refundAll(nobody)).toEqual({ ok: false, reason: 'unknown-generation' })
    expect(await availableOf(user.id)).toBe(start)
  })

  it('is limited to a sum a day for some operators, also when they refund at once; a day later they may again', async () => {
    const orders: Generation[] = []
    for (let at = 0; at < 5; at += 1) orders.push(await paid())
    const within = (day: string) => ({ operatorId: 7, day, most: 300_00n })
    const refund = (allowance: Allowance, { id: generationId }: Generation) =>
      refundGeneration(world.deps, { by: 7, allowance, generationId, reason: 'blank' })
    const today = await Promise.all(orders.map((one) => refund(within('2026-11-21'), one)))
    expect(today.filter(({ ok }) => ok)).toHaveLength(3)
    const over = { ok: false, reason: 'over-limit', left: 300_00n - 3n * price }
    expect(today.filter(({ ok }) => !ok)).toEqual([over, over])
    const refused = orders.find((_, at) => !today[at]?.ok) ?? expect.unreachable()
    expect(await availableOf(refused.userId)).toBe(start - price)
    expect(await refund(within('2026-11-22'), refused)).toMatchObject({ ok: true })
    expect(await refund(within('2026-11-22'), refused)).toEqual({ ok: false, reason: 'already' })
    expect(await leftOf(world.deps.db, within('2026-11-22'))).toBe(300_00n - price)
  })

  describe('of which a lost file was refunded', () => {
    const lost = 30_00n
    const rest = price - lost
    const bothRefunds = async ({ id }: Generation) =>
      expect((await refundsOf(id)).map(({ key, amount }) => [key, amount])).toEqual([
        [`refund:${id}`, lost],
        [`refund:${id}:3000`, rest],
      ])

    it('returns the rest once, with concurrent operators', async () => {
      const order = await paid()
      await losesFile(order, lost)
      const all = await Promise.all(Array.from({ length: 6 }, () => refundAll(order)))
      expect(all.filter(({ ok }) => ok)).toMatchObject([{ amount: rest }])
      expect(await refundAll(order)).toEqual({ ok: false, reason: 'already' })
      expect(await availableOf(order.userId)).toBe(start)
      await bothRefunds(order)
      const actions = await actionsOn(world, `generation:${order.id}`)
      expect(actions).toMatchObject([{ action: 'refund', details: { amount: `${rest}` } }])
    })

    it('returns the rest although the file is refunded between the reading of the order and the refund', async () => {
      const order = await paid()
      let isLost = false
      const execute = async (...given: Parameters<Database['execute']>) => {
        if (!isLost) await losesFile(order, lost)
        isLost = true
        return world.deps.db.execute(...given)
      }
      const db = new Proxy(world.deps.db, {
        get: (real, name) => (name === 'execute' ? execute : Reflect.get(real, name)),
      })
      const refund = { by, generationId: order.id, reason: 'all are blank' }
      expect(await refundGeneration({ ...world.deps, db }, refund)).toMatchObject({ ok: true, amount: rest })
      expect(await availableOf(order.userId)).toBe(start)
      await bothRefunds(order)
    })

    it('can be reported by its user, and the rest is refunded by the report', async () => {
      const order = await paid()
      const { id: generationId, userId } = order
      await losesFile(order, lost)
      expect(mayReport(await reread(world, order))).toBe(true)
      const filed = await fileReport(world.deps, { generationId, userId, said: 'blank' })
      const refunded = filed && (await refundReport(world.deps, by, filed, 'a report'))
      expect(refunded).toMatchObject({ ok: true, amount: rest })
      expect(await availableOf(userId)).toBe(start)
      expect(mayReport(await reread(world, order))).toBe(false)
    })
  })
})

it('a report is closed once when operators decide differently at the same time', async () => {
  for (let round = 0; round < 4; round += 1) {
    const order = await paid()
    const report = (await findReport(world.deps.db, await reportOf(world, order))) ?? expect.unreachable()
    const deeds = [
      refundReport(world.deps, by, report, 'a report'),
      declineReport(world.deps, by, report),
      refundReport(world.deps, by, report, 'a report'),
    ] as const
    await Promise.all(round % 2 ? deeds : deeds.toReversed())
    const [closed] = await world.deps.db.select().from(reports).where(eq(reports.id, report.id))
    const { refunded } = await reread(world, order)
    expect([closed?.state, refunded, await availableOf(order.userId)]).toEqual(
      closed?.state === 'refunded' ? ['refunded', price, start] : ['declined', null, start - price],
    )
  }
})

it('the switch of a model stops its sale: no new quotes, and earlier quotes are outdated', async () => {
  const turn = (off: boolean) => setSwitch(world.deps, by, modelSwitch(videoReel.id), off)
  const user = await userWith(world, 1000_00n)
  const { quote, draft } = await quoteFor(world, user)
  expect([await turn(true), await turn(true)]).toEqual([true, false])
  expect(await quoteDraft(world.deps, draft)).toEqual({ ok: false, reason: 'not-offered' })
  const tap = () => confirm(world.deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
  expect(await tap()).toEqual({ ok: false, reason: 'outdated' })
  expect([await turn(false), await turn(false)]).toEqual([true, false])
  expect(await tap()).toMatchObject({ ok: true })
})

it('a promo code of the wrong form, and an end on no day of the calendar, are refused', () => {
  const codes = ['', 'ab', 'SHORT', 'SPRING 26', 'SPRING:26', 'x'.repeat(33), '🎁🎁🎁']
  expect(codes.filter((text) => readCode(text) !== undefined)).toEqual([])
  const days = ['2026-02-30', '31.12.2026', '2026-12', '']
  expect(days.filter((text) => readDay(text, 'Europe/Moscow') !== undefined)).toEqual([])
})

it('a user is found by each kind of query', async () => {
  const { db } = world.deps
  const person = { telegramId: 555_001, languageCode: 'ru', name: 'Анна Иванова', username: 'anna_iv' }
  const { user: anna } = await ensureUser(db, person, world.deps.clock.now())
  const order = await paid()
  const queries = {
    anna: [`#${anna.id}`, '555001', '@Anna_IV', 'иванов', ' anna_ '],
    buyer: [order.id, `${order.taskId}`],
    nobody: ['', '%', '_____', '#0', '@nobody', "' or 1=1 --", '999999999999999'],
  }
  const ids = { anna: [anna.id], buyer: [order.userId], nobody: [] }
  for (const who of ['anna', 'buyer', 'nobody'] as const)
    for (const query of queries[who])
      expect([query, (await findPeople(db, query)).map(({ id }) => id)]).toEqual([query, ids[who]])
})
