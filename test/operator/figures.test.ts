// The figures of a period, compared with values computed by hand, and their chart. On a real PostgreSQL.

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payments, topUps } from '../../src/db/schema.ts'
import { post } from '../../src/ledger/ledger.ts'
import { deposit } from '../../src/ledger/moves.ts'
import { drawChart } from '../../src/operator/chart.ts'
import { type Figures, readFigures } from '../../src/operator/figures.ts'
import { periodOf } from '../../src/operator/periods.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { isTimeZone, localTime } from '../../src/runtime/clock.ts'
import {
  createWorld,
  type GenerationWorld,
  json,
  order,
  step,
  userWith,
} from '../support/worlds/generations.ts'
import { boss, paidGeneration, reportOf } from '../support/worlds/operator.ts'

const moscow = 'Europe/Moscow'
const hour = 60 * 60_000
const day = 24 * hour

describe('a period', () => {
  // 15:04 on the 21st in Moscow.
  const now = new Date('2026-11-21T12:04:00Z')

  it('of one day is today in hours, from midnight in Moscow', () => {
    const today = periodOf(1, now, moscow)
    expect(today.since).toEqual(new Date('2026-11-20T21:00:00Z'))
    expect(today.starts.map((start) => start.getTime() - today.since.getTime())).toEqual(
      Array.from({ length: 24 }, (_, at) => at * hour),
    )
    expect(periodOf(1, now, moscow).labels).toEqual(Array.from({ length: 24 }, (_, at) => String(at)))
    expect(periodOf(1, new Date('2026-11-20T20:59:59Z'), moscow).since).toEqual(
      new Date('2026-11-19T21:00:00Z'),
    )
  })

  it('of several days ends today', () => {
    const week = periodOf(7, now, moscow)
    expect(week).toMatchObject({ firstDay: '2026-11-15', lastDay: '2026-11-21' })
    expect(week.starts[0]).toEqual(new Date('2026-11-14T21:00:00Z'))
    expect(week.starts).toHaveLength(7)
    expect(week.labels).toEqual(['15', '16', '17', '18', '19', '20', '21'])
    expect(localTime(now, moscow)).toBe('2026-11-21 15:04')
  })

  it('has 23 or 25 hours on the days when clocks are changed', () => {
    const hoursOn = (day: string) => periodOf(1, new Date(day), 'Europe/Berlin')
    expect(hoursOn('2026-03-29T12:00:00Z').labels.slice(0, 4)).toEqual(['0', '1', '3', '4'])
    expect(hoursOn('2026-03-29T12:00:00Z').starts).toHaveLength(23)
    expect(hoursOn('2026-10-25T12:00:00Z').labels.slice(0, 4)).toEqual(['0', '1', '2', '2'])
    expect(hoursOn('2026-10-25T12:00:00Z').starts).toHaveLength(25)
    const week = periodOf(3, new Date('2026-03-30T12:00:00Z'), 'Europe/Berlin')
    expect(week.starts.map((start) => start.toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('has a time zone with the name of a place', () => {
    expect(['Europe/Moscow', 'UTC', 'Asia/Yekaterinburg'].map(isTimeZone)).toEqual([true, true, true])
    expect(['', 'Moscow', '+03:00', 'Europe/Moskau'].map(isTimeZone)).toEqual([false, false, false, false])
  })
})

describe('figures', () => {
  let world: GenerationWorld
  let today: Figures
  let week: Figures
  beforeAll(async () => {
    world = await createWorld()
    await tell(world)
    const { db, clock } = world.deps
    today = await readFigures(db, periodOf(1, clock.now(), moscow))
    week = await readFigures(db, periodOf(7, clock.now(), moscow))
  })
  afterAll(() => world.close())

  /** Two days ago one video, later refunded; today one video, one failure, one order under way, and a top-up. */
  async function tell({ deps, clock }: GenerationWorld): Promise<void> {
    clock.advance(-2 * day)
    const anna = await userWith(world, 300_00n)
    const first = await paidGeneration(world, anna)
    clock.advance(day)
    await refundGeneration(deps, { by: boss, generationId: first.id, reason: 'blank' })
    clock.advance(day)
    const boris = await userWith(world, 300_00n)
    await reportOf(world, await paidGeneration(world, boris))
    world.reset()
    await order(world, boris)
    world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
    await step(world)
    await order(world, boris)
    await pays(boris.id, 200_00n)
  }

  async function pays(userId: bigint, credit: bigint): Promise<void> {
    const { db, clock } = world.deps
    const row = { userId, provider: 'stars', credit, charge: 100n, currency: 'XTR', createdAt: clock.now() }
    await db.insert(topUps).values({ id: 'topup00001', ...row })
    await db.insert(payments).values({ topUpId: 'topup00001', chargeId: 'charge', ...row })
    const move = deposit({ provider: 'stars', chargeId: 'charge', userId, credit, topUpId: 'topup00001' })
    await post(db, move, clock.now())
  }

  it('of today have the captured amounts and their cost', () => {
    expect(today).toMatchObject({ revenue: 92_45n, cost: 92_45n })
    expect(today.models).toMatchObject([{ modelId: 'MODEL-VIDEO-REEL', done: 1, failed: 1 }])
    expect(today.topUps).toEqual([{ provider: 'stars', count: 1, credit: 200_00n }])
    expect(today).toMatchObject({ newUsers: 1, activeUsers: 1 })
  })

  it('of a week subtract a refund on its own day, and keep the cost', () => {
    expect(week).toMatchObject({ revenue: 92_45n, cost: 184_90n, newUsers: 2, activeUsers: 2 })
    expect(week.revenueSteps).toEqual([0n, 0n, 0n, 0n, 92_45n, -92_45n, 92_45n])
    expect(week.costSteps).toEqual([0n, 0n, 0n, 0n, 92_45n, 0n, 92_45n])
    expect(week.models).toMatchObject([{ modelId: 'MODEL-VIDEO-REEL', done: 2, failed: 1 }])
  })

  it('of balances are the current ones, in every period', () => {
    // Anna was refunded in full. Boris had 300, paid for one order, has one open order and a top-up.
    const available = 300_00n + 300_00n - 2n * 92_45n + 200_00n
    const owed = { held: 92_45n, available, groups: 0n, now: available + 92_45n }
    expect(today).toMatchObject({ owed, openReports: 1 })
    expect(week).toMatchObject({ owed, openReports: 1 })
  })
})

describe('the chart', () => {
  it('has blue bars where there was revenue, and is white elsewhere', async () => {
    const series = { revenue: [0n, 1000_00n], cost: [0n, 0n], labels: ['1', '2'] }
    const { data, info } = await sharp(await drawChart(series))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ]
    expect([info.width, info.height, info.channels]).toEqual([960, 480, 3])
    expect(at(315, 230)).toEqual([255, 255, 255])
    expect(at(725, 230)).toEqual([0x3b, 0x82, 0xf6])
  })
})
