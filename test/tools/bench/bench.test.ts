// Checks that `npm run bench` works, in quick mode, whose figures are too small to be meaningful. Speed is never asserted.

import { describe, expect, inject, it } from 'vitest'
import { start } from '../../support/runtime/child.ts'
import { compare, inRounds, tableOf, written } from './figures/figure.ts'

it('npm run bench measures every figure, and the orders, updates and starts beside other programs', async () => {
  const args = ['--quick', '--cluster', inject('postgresUrl')]
  const child = start('test/tools/bench/main.ts', { PATH: process.env.PATH ?? '' }, args)
  expect({ code: await child.ended, said: child.complaints() }).toEqual({ code: 0, said: '' })
  const rows = child.output().matchAll(/^(.+?) {2,}\d[\d.]* +(\S+) +(?:\d[\d.]* +\d[\d.]* +(\S.*?) {2,})?/gm)
  expect([...rows].map(([, name, unit, other]) => [name, unit, other])).toEqual([
    ['orders', 'orders/s', 'the usual stack'],
    ['processor time', 'ms/order', 'the usual stack'],
    ['callback to message, p99', 'ms', 'the usual stack'],
    ['first word of 2 streams, p99', 'ms', undefined],
    ['updates', 'updates/s', 'bot.start of grammY'],
    ['start', 'ms', 'the bare bot'],
    ['idle memory', 'MB', 'the bare bot'],
  ])
})

it('a ratio is the median of the ratios of all rounds, each computed with the other value of its round', () => {
  const found = compare({ name: 'x', unit: 'ms', goal: '' }, [10, 100, 30], 'y', [1, 50, 10])
  expect(found).toMatchObject({ app: 30, other: { value: 10, ratio: 3 } })
})

it('the table shows the medians, the ratio, and the goal', () => {
  const told = { name: 'x', unit: 'ms', goal: '<= 3 ms' }
  expect(tableOf([compare(told, [12.345], 'y', [2])]).split('\n')).toEqual([
    '   app   unit  other  ratio  other is  goal',
    'x  12.3  ms    2.00   6.17   y         <= 3 ms',
  ])
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
  [1234.5, '1235'],
])('written formats %d as %s', (value, text) => {
  expect(written(value)).toBe(text)
})
