// What operators do: corrections, refunds, bans, switches and promo codes, each once, with its row in the log. On a real PostgreSQL.

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { generations, reports, transfers } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { refundOrder } from '../../src/ledger/moves.ts'
import { recordAction, setSwitch, userSubject } from '../../src/operator/actions.ts'
import { correct } from '../../src/operator/corrections.ts'
import { findPeople } from '../../src/operator/people.ts'
import { readCode, readDay } from '../../src/operator/promo.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { declineReport, findReport, refundReport } from '../../src/operator/reports.ts'
import { quoteDraft } from '../../src/orders/confirm.ts'
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

describe('a refund of an order', () => {
  it('returns the captured amount: 7,55 ₽ + 92,45 ₽ = 100 ₽', async () => {
    const user = await userWith(world, 100_00n)
    const paid = await paidGeneration(world, user)
    expect([paid.captured, await availableOf(user.id)]).toEqual([92_45n, 7_55n])
    const refunded = await refundGeneration(world.deps, { by, generationId: paid.id, reason: 'blank' })
    expect(refunded).toMatchObject({ ok: true, amount: 92_45n })
    expect(await availableOf(user.id)).toBe(100_00n)
    expect(await reread(world, paid)).toMatchObject({
      state: 'succeeded',
      captured: 92_45n,
      refunded: 92_45n,
    })
    expect(await refundsOf(paid.id)).toMatchObject([{ debit: 'revenue', credit: 'available', note: 'blank' }])
    expect(await actionsOn(world, `generation:${paid.id}`)).toMatchObject([
      {
        operatorId: boss,
        action: 'refund',
        reason: 'blank',
        details: { amount: '9245', user: `${user.id}` },
      },
    ])
  })

  it('is made in parts, the rest last, and never above the captured amount: 10 + 30 + 52,45 = 92,45 ₽', async () => {
    const user = await userWith(world, 100_00n)
    const { id } = await paidGeneration(world, user)
    const refund = (amount: bigint, before: bigint) =>
      refundGeneration(world.deps, { by, generationId: id, reason: 'blurred', part: { amount, before } })
    const first = await Promise.all(Array.from({ length: 6 }, () => refund(10_00n, 0n)))
    expect(first.filter(({ ok }) => ok)).toMatchObject([{ amount: 10_00n }])
    expect(await refund(10_00n, 0n)).toEqual({ ok: false, reason: 'changed' })
    expect(await refund(82_46n, 10_00n)).toEqual({ ok: false, reason: 'too-much' })
    expect(await refund(30_00n, 10_00n)).toMatchObject({ ok: true })
    expect(await availableOf(user.id)).toBe(47_55n)
    const whole = { by, generationId: id, reason: 'blank' }
    expect(await refundGeneration(world.deps, whole)).toMatchObject({ ok: true, amount: 52_45n })
    expect(await refund(1n, 92_45n)).toEqual({ ok: false, reason: 'already' })
    expect(await availableOf(user.id)).toBe(100_00n)
    const keys = [`refund:${id}`, `refund:${id}:1000`, `refund:${id}:4000`]
    expect((await refundsOf(id)).map(({ key }) => key)).toEqual(keys)
    expect(await actionsOn(world, `generation:${id}`)).toHaveLength(3)
  })

  it('is not made in part while the result is being delivered, when lost files may be refunded', async () => {
    const { id } = await paidGeneration(world, await userWith(world, 100_00n))
    const sets = (delivery: 'pending' | 'delivered') =>
      world.deps.db
        .update(generations)
        .set({ delivery, nextCheckAt: new Date() })
        .where(eq(generations.id, id))
    await sets('pending')
    const part = { amount: 1_00n, before: 0n }
    const refund = await refundGeneration(world.deps, { by, generationId: id, reason: 'x', part })
    await sets('delivered')
    expect(refund).toEqual({ ok: false, reason: 'in-delivery' })
  })

  it('in part without an action in the log is found by the audit', async () => {
    const user = await userWith(world, 100_00n)
    const order = await paidGeneration(world, user)
    const { id } = order
    const part = { amount: 10_00n, before: 0n }
    await refundGeneration(world.deps, { by, generationId: id, reason: 'x', part })
    const planted = refundOrder({ ...order, amount: 5_00n, refunded: 10_00n }, 'x')
    const mark = sql`update generations set refunded = refunded + 500 where id = ${id} returning id`
    await post(world.deps.db, planted, world.deps.clock.now(), mark)
    expect(await audit(world.deps.db)).toMatchObject([
      { subject: id, fact: 'refunded 15.00 ₽, first 10.00 ₽, actions 10.00 ₽' },
    ])
    await recordAction(world.deps, {
      by,
      action: 'refund',
      subject: `generation:${id}`,
      details: { amount: '500' },
    })
  })

  it('is refused for a running, a failed and an unknown order', async () => {
    const user = await userWith(world, 100_00n)
    world.reset()
    const running = await order(world, user)
    const refund = (generationId: string) => refundGeneration(world.deps, { by, generationId, reason: 'x' })
    expect(await refund(running.id)).toEqual({ ok: false, reason: 'nothing-captured' })
    world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
    await step(world)
    expect(await reread(world, running)).toMatchObject({ state: 'failed' })
    expect(await refund(running.id)).toEqual({ ok: false, reason: 'nothing-captured' })
    expect(await refund('0000000000')).toEqual({ ok: false, reason: 'unknown-generation' })
    expect(await availableOf(user.id)).toBe(100_00n)
  })
})

describe('a report', () => {
  async function reported() {
    const user = await userWith(world, 100_00n)
    const id = await reportOf(world, await paidGeneration(world, user))
    const report = await findReport(world.deps.db, id)
    if (!report) throw new Error('just filed')
    return { user, report }
  }

  it('is closed once when operators decide differently at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { user, report } = await reported()
      const deeds = [
        refundReport(world.deps, by, report, 'a report'),
        declineReport(world.deps, by, report),
        refundReport(world.deps, by, report, 'a report'),
      ] as const
      await Promise.all(round % 2 ? deeds : deeds.toReversed())
      const [{ state } = { state: '' }] = await world.deps.db
        .select()
        .from(reports)
        .where(eq(reports.id, report.id))
      const [{ refunded } = { refunded: null }] = await world.deps.db
        .select()
        .from(generations)
        .where(eq(generations.id, report.generationId))
      expect([state, refunded, await availableOf(user.id)]).toEqual(
        state === 'refunded' ? ['refunded', 92_45n, 100_00n] : ['declined', null, 7_55n],
      )
    }
  })
})

const person = async (telegramId: number, name: string, username: string) =>
  (
    await ensureUser(
      world.deps.db,
      { telegramId, languageCode: 'ru', name, username },
      world.deps.clock.now(),
    )
  ).user

describe('a switch', () => {
  const turn = (name: string, off: boolean) => setSwitch(world.deps, by, name, off)

  it('of a model stops its sale: no new quotes, and earlier quotes are outdated', async () => {
    const user = await userWith(world, 1000_00n)
    const { quote, draft } = await quoteFor(world, user)
    expect(await turn(modelSwitch(videoReel.id), true)).toBe(true)
    expect(await turn(modelSwitch(videoReel.id), true)).toBe(false)
    expect(await quoteDraft(world.deps, draft)).toEqual({ ok: false, reason: 'not-offered' })
    const tap = () => confirm(world.deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
    expect(await tap()).toEqual({ ok: false, reason: 'outdated' })
    expect(await turn(modelSwitch(videoReel.id), false)).toBe(true)
    expect(await turn(modelSwitch(videoReel.id), false)).toBe(false)
    expect(await tap()).toMatchObject({ ok: true })
  })
})

describe('a promo code', () => {
  it.each(['', 'ab', 'SHORT', 'SPRING 26', 'SPRING:26', 'x'.repeat(33), '🎁🎁🎁'])('cannot be %j', (text) => {
    expect(readCode(text)).toBeUndefined()
  })

  it.each(['2026-02-30', '31.12.2026', '2026-12', ''])('cannot expire on %j', (text) => {
    expect(readDay(text, 'Europe/Moscow')).toBeUndefined()
  })
})

describe('a user', () => {
  it('is found by each kind of query', async () => {
    const anna = await person(555_001, 'Анна Иванова', 'anna_iv')
    const order = await paidGeneration(world, await userWith(world, 100_00n))
    const idsOf = async (query: string) => (await findPeople(world.deps.db, query)).map(({ id }) => id)
    for (const query of [`#${anna.id}`, '555001', '@Anna_IV', 'иванов', ' anna_ ']) {
      expect([query, await idsOf(query)]).toEqual([query, [anna.id]])
    }
    expect(await idsOf(order.id)).toEqual([order.userId])
    expect(await idsOf(String(order.taskId))).toEqual([order.userId])
    for (const query of ['', '%', '_____', '#0', '@nobody', "' or 1=1 --", '999999999999999']) {
      expect([query, await idsOf(query)]).toEqual([query, []])
    }
  })
})
