// That benches run: with figures too small to mean anything, of which only the kind is looked at. Those that take long even so
// are left to `npm run bench`.

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

describe('in quick mode', () => {
  let told: z.output<typeof report>
  beforeAll(async () => {
    const env = { PATH: process.env.PATH ?? '' }
    const args = ['--quick', '--json', '--only', short.join(), '--cluster', inject('postgresUrl')]
    const child = start('test/bench/main.ts', env, args)
    expect({ code: await child.ended, said: child.complaints() }).toEqual({ code: 0, said: '' })
    told = report.parse(JSON.parse(child.output()))
  })

  it.each(short)('%s gives ratios', (name) => {
    const outcome = told.outcomes.find((one) => one.name === name)
    expect(outcome?.figures.map(({ ratio }) => Number.isFinite(ratio))).not.toContain(false)
  })
})

describe('a ratio', () => {
  const told = { name: 'x', unit: 'ms', better: 'lower', against: 'y' } as const
  const figure = (ratio: number, more: Partial<Figure> = {}) => ({
    ...compare(told, [ratio], [1]),
    ...more,
    bench: 'b',
  })

  it('is the median of the rounds, each with its own baseline', () => {
    const found = compare(told, [10, 100, 30], [1, 50, 10])
    expect(found).toMatchObject({ ratio: 3, spread: [2, 10], measured: 30, baseline: 10 })
  })

  it.each([
    ['as it was', figure(3), []],
    ['a little worse', figure(5.9), []],
    ['much better', figure(0.1), []],
    ['more than twice as much', figure(6.1), ['b: x: 2.0 times worse (6.10, was 3)']],
    [
      'less than half, where more is better',
      figure(1.2, { better: 'higher' }),
      ['b: x: 2.5 times worse (1.20, was 3)'],
    ],
    ['worse within its own tolerance', figure(10, { tolerance: 4 }), []],
  ])('%s', (_, found, worse) => {
    expect(worseThan({ 'b: x': 3 }, [found])).toEqual(worse)
  })

  it('of which nothing is known is never worse', () => {
    expect(worseThan({}, [figure(1000)])).toEqual([])
  })

  it('is shown in a table', () => {
    expect(tableOf([compare(told, [12_345], [2])]).split('\n')).toEqual([
      '   measured  baseline  unit  ratio  of a round     against',
      'x    12 345      2.00  ms    6 173  6 173 – 6 173  y',
    ])
  })
})

it('the ratios to compare with are of benches that there are', () => {
  const names = Object.keys(readRatios()).map((key) => key.slice(0, key.indexOf(':')))
  expect(names.filter((name) => benches.every((one) => one.name !== name))).toEqual([])
})

describe('rounds', () => {
  const measured = async (count: number) => {
    const order: string[] = []
    const side = (name: string, value: number) => async () => {
      order.push(name)
      return { value: value * order.length }
    }
    const found = await inRounds(count, { a: side('a', 1), b: side('b', 100) })
    return { order: order.join(''), a: found('a', 'value'), b: found('b', 'value') }
  }

  it('go to and fro, the first for nothing', async () => {
    expect(await measured(2)).toEqual({ order: 'abbaab', a: [4, 5], b: [300, 600] })
  })

  it('keep the only one', async () => {
    expect(await measured(1)).toEqual({ order: 'ab', a: [1], b: [200] })
  })
})

it.each([
  [0.012_34, '0.0123'],
  [1.005, '1.00'],
  [12.34, '12.3'],
  [123.4, '123'],
  [1_234_567, '1 234 567'],
])('%d is written %s', (value, text) => {
  expect(written(value)).toBe(text)
})
