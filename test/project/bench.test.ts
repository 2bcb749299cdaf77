// Checks that short benches run in quick mode, whose figures are too small to be meaningful, and tests the parts that compare figures. The
// longer benches are only run by `npm run bench`.

import { beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import type { Figure } from '../bench/bench.ts'
import { benches } from '../bench/benches/index.ts'
import { readRatios, worseThan } from '../bench/frame/guard.ts'
import { compare, inRounds } from '../bench/frame/rounds.ts'
import { tableOf, written } from '../bench/frame/table.ts'
import { start } from '../support/runtime/child.ts'

const number = z.number().positive()
const figure = z.object({ name: z.string(), measured: number, baseline: number, ratio: number })
const report = z.object({
  machine: z.object({ node: z.string(), postgres: z.string(), grammy: z.string(), undici: z.string() }),
  outcomes: z.array(z.object({ name: z.string(), method: z.string(), figures: z.array(figure).nonempty() })),
})

const short = ['updates', 'orders', 'forms']

describe('npm run bench in quick mode', () => {
  let told: z.output<typeof report>
  beforeAll(async () => {
    const env = { PATH: process.env.PATH ?? '' }
    const args = ['--quick', '--json', '--only', short.join(), '--cluster', inject('postgresUrl')]
    const child = start('test/bench/main.ts', env, args)
    expect({ code: await child.ended, said: child.complaints() }).toEqual({ code: 0, said: '' })
    told = report.parse(JSON.parse(child.output()))
  })

  it.each(short)('the bench %s returns finite ratios', (name) => {
    const outcome = told.outcomes.find((one) => one.name === name)
    expect(outcome?.figures.map(({ ratio }) => Number.isFinite(ratio))).not.toContain(false)
  })
})

describe('the ratio of a figure to its baseline', () => {
  const told = { name: 'x', unit: 'ms', better: 'lower', against: 'y' } as const
  const figure = (ratio: number, more: Partial<Figure> = {}) => ({
    ...compare(told, [ratio], [1]),
    ...more,
    bench: 'b',
  })

  it('is the median of the ratios of all rounds, each computed with the baseline of its round', () => {
    const found = compare(told, [10, 100, 30], [1, 50, 10])
    expect(found).toMatchObject({ ratio: 3, spread: [2, 10], measured: 30, baseline: 10 })
  })

  it.each([
    ['accepts an unchanged ratio', figure(3), []],
    ['accepts a ratio that is slightly less than twice as high', figure(5.9), []],
    ['accepts a much better ratio', figure(0.1), []],
    ['reports a ratio that is more than twice as high', figure(6.1), ['b: x: 2.0 times worse (6.10, was 3)']],
    [
      'reports a ratio that is less than half as high if higher is better',
      figure(1.2, { better: 'higher' }),
      ['b: x: 2.5 times worse (1.20, was 3)'],
    ],
    ["accepts a worse ratio within the figure's own tolerance", figure(10, { tolerance: 4 }), []],
  ])('worseThan %s', (_, found, worse) => {
    expect(worseThan({ 'b: x': 3 }, [found])).toEqual(worse)
  })

  it('worseThan accepts a figure without a stored ratio', () => {
    expect(worseThan({}, [figure(1000)])).toEqual([])
  })

  it('tableOf shows the medians, the unit, the ratio and its spread over the rounds', () => {
    expect(tableOf([compare(told, [12_345], [2])]).split('\n')).toEqual([
      '   measured  baseline  unit  ratio  of a round     against',
      'x    12 345      2.00  ms    6 173  6 173 – 6 173  y',
    ])
  })
})

it('ratios.json contains only ratios of existing benches', () => {
  const names = Object.keys(readRatios()).map((key) => key.slice(0, key.indexOf(':')))
  expect(names.filter((name) => benches.every((one) => one.name !== name))).toEqual([])
})

describe('inRounds', () => {
  const measured = async (count: number) => {
    const order: string[] = []
    const side = (name: string, value: number) => async () => {
      order.push(name)
      return { value: value * order.length }
    }
    const found = await inRounds(count, { a: side('a', 1), b: side('b', 100) })
    return { order: order.join(''), a: found('a', 'value'), b: found('b', 'value') }
  }

  it('alternates the order of the two sides and ignores the first round', async () => {
    expect(await measured(2)).toEqual({ order: 'abbaab', a: [4, 5], b: [300, 600] })
  })

  it('uses the first round if there is only one', async () => {
    expect(await measured(1)).toEqual({ order: 'ab', a: [1], b: [200] })
  })
})

it.each([
  [0.012_34, '0.0123'],
  [1.005, '1.00'],
  [12.34, '12.3'],
  [123.4, '123'],
  [1_234_567, '1 234 567'],
])('written formats %d as %s', (value, text) => {
  expect(written(value)).toBe(text)
})
