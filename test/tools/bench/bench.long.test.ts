// `npm run bench` works in quick mode, whose figures are too small to be meaningful, and the counts stay within their bounds. Speed is never
// asserted.

import { expect, inject, it } from 'vitest'
import { start } from '../../support/runtime/child.ts'
import { bounds, type Count, type CountName, countAll, reportOf, sumOf } from './count.ts'
import { compare, inRounds } from './figure.ts'
import { createLauncher, openDatabases } from './machine.ts'

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

it('a ratio is the median of the ratios of all rounds, which alternate the sides after a warm-up', async () => {
  const order: string[] = []
  const side = (name: string, times: number) => async () => {
    order.push(name)
    return { value: times * order.length }
  }
  const found = await inRounds(3, { a: side('a', 1), b: side('b', 10) })
  expect(order.join('')).toBe('abbaabba')
  const told = { name: 'x', unit: 'ms', goal: '' }
  expect(compare(told, found('a', 'value'), 'y', found('b', 'value'))).toMatchObject({
    app: 5,
    other: { value: 60, ratio: 8 / 70 },
  })
})

it('the app needs at most the allowed statements and requests for an update, an order and an idle second', async () => {
  const databases = await openDatabases(inject('postgresUrl'))
  const launcher = createLauncher({ isPinned: false })
  const counts: Count[] = []
  const isWithin = ({ name, statements, requests }: Count) =>
    sumOf(statements) <= bounds[name].statements && sumOf(requests) <= bounds[name].requests
  const missing = () => {
    const within = new Set<string>(counts.filter(isWithin).map(({ name }) => name))
    return Object.keys(bounds).filter((name) => !within.has(name))
  }
  // A busy machine can only add calls (a slow delivery shows its progress, a late callback is preceded by a poll), so it is tried again.
  for (let tries = 0; tries < 3 && missing().length > 0; tries += 1)
    counts.push(...(await Promise.race([countAll({ isQuick: true, databases, launcher }), launcher.failed])))
  await launcher.stopAll()
  await databases.close()
  expect(missing(), reportOf(counts)).toEqual([])
  const ofOrders = counts.filter(({ name }) => name === ('order' satisfies CountName))
  expect(ofOrders.map(({ statements }) => sumOf(statements) > 5)).not.toContain(false)
})
