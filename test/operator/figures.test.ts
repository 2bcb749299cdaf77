// The periods of figures, and their chart.

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../../src/operator/chart.ts'
import { barsOf, readPeriod, wordsBeside } from '../../src/operator/periods.ts'
import { isTimeZone } from '../../src/runtime/clock.ts'
import { periodOf } from '../support/worlds/operator.ts'

const moscow = 'Europe/Moscow'
const hour = 60 * 60_000

describe('a period', () => {
  // 15:04 on Saturday the 21st in Moscow.
  const now = new Date('2026-11-21T12:04:00Z')
  const daysOf = (words: string) => {
    const found = readPeriod(words, now, moscow)
    return found && [found.firstDay, found.lastDay]
  }

  it.each([
    ['today', '2026-11-21', '2026-11-21'],
    ['1', '2026-11-21', '2026-11-21'],
    ['Вчера', '2026-11-20', '2026-11-20'],
    ['week', '2026-11-16', '2026-11-22'],
    ['месяц', '2026-11-01', '2026-11-30'],
    ['30', '2026-10-23', '2026-11-21'],
    ['2026', '2026-01-01', '2026-12-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2026-10-05', '2026-10-05', '2026-10-05'],
    [' 2026-10-31 .. 2026-11', '2026-10-31', '2026-11-30'],
    ['2025—2026-01-02', '2025-01-01', '2026-01-02'],
    ['2026-11-01..today', '2026-11-01', '2026-11-21'],
  ])('%j is %s to %s', (words, first, last) => expect(daysOf(words)).toEqual([first, last]))

  it.each(
    ' |october|constructor|2026-13|2026-02-30|2026-1|1999|0|1000|2026-11..2026-10|2026..2026..2026|2000..2099'.split(
      '|',
    ),
  )('%j is none', (words) => expect(daysOf(words)).toBeUndefined())

  it('ends where the next one begins, in the time zone', () => {
    expect(readPeriod('2026-10', now, moscow)).toMatchObject({
      since: new Date('2026-09-30T21:00:00Z'),
      until: new Date('2026-10-31T21:00:00Z'),
    })
    expect(periodOf('today', new Date('2026-11-20T20:59:59Z'), moscow).since).toEqual(
      new Date('2026-11-19T21:00:00Z'),
    )
  })

  it.each([
    ['2026-03', '2026-02', '2026-04'],
    ['2026-10-01', '2026-09-30', '2026-10-02'],
    ['week', '2026-11-09..2026-11-15', '2026-11-23..2026-11-29'],
  ])('%s is after %s and before %s', (words, before, after) => {
    const period = periodOf(words, now, moscow)
    expect([wordsBeside(period, 'before'), wordsBeside(period, 'after')]).toEqual([before, after])
  })

  it('has a bar for each hour of a day, for each day, or for each month when it is long', () => {
    const bars = (words: string) => barsOf(periodOf(words, now, moscow))
    expect(bars('today').map(({ start }) => start.getTime())).toEqual(
      Array.from({ length: 24 }, (_, at) => new Date('2026-11-20T21:00:00Z').getTime() + at * hour),
    )
    expect(bars('today').map(({ label }) => label)).toEqual(Array.from({ length: 24 }, (_, at) => String(at)))
    expect(bars('7').map(({ label }) => label)).toEqual(['15', '16', '17', '18', '19', '20', '21'])
    expect(bars('2026-10-31..2027').map(({ label }) => label)).toEqual([
      '10',
      '11',
      '12',
      ...Array.from({ length: 12 }, (_, at) => String(at + 1)),
    ])
  })

  it('has 23 or 25 hours on the days when clocks are changed', () => {
    const bars = (words: string) => barsOf(periodOf(words, now, 'Europe/Berlin'))
    const labels = (words: string) => bars(words).map(({ label }) => label)
    expect(labels('2026-03-29').slice(0, 4)).toEqual(['0', '1', '3', '4'])
    expect(labels('2026-03-29')).toHaveLength(23)
    expect(labels('2026-10-25').slice(0, 4)).toEqual(['0', '1', '2', '2'])
    expect(labels('2026-10-25')).toHaveLength(25)
    expect(bars('2026-03-28..2026-03-30').map(({ start }) => start.toISOString())).toEqual([
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
    const steps = [0n, 1000_00n].map((revenue, at) => ({ revenue, cost: 0n, label: String(at + 1) }))
    const { data, info } = await sharp(await drawChart(steps))
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
