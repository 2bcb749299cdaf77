// The periods of figures, and their chart.

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../../src/operator/chart.ts'
import { periodOf } from '../../src/operator/periods.ts'
import { isTimeZone, localTime } from '../../src/runtime/clock.ts'

const moscow = 'Europe/Moscow'
const hour = 60 * 60_000

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
