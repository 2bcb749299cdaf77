// `npm run bench` works in quick mode, whose figures are too small to be meaningful. Speed is never asserted.

import { expect, inject, it } from 'vitest'
import { start } from '../../support/runtime/child.ts'

it('npm run bench measures every figure beside another program', async () => {
  const args = ['--quick', '--cluster', inject('postgresUrl')]
  const child = start('test/tools/bench/main.ts', { PATH: process.env.PATH ?? '' }, args)
  expect({ code: await child.ended, said: child.complaints() }).toEqual({ code: 0, said: '' })
  const rows = child.output().matchAll(/^(.+?) {2,}\d[\d.]* +(\S+) +\d[\d.]* +\d[\d.]* +(\S.*?) {2,}/gm)
  expect([...rows].map(([, name, unit, other]) => [name, unit, other])).toEqual([
    ['orders', 'orders/s', 'the usual stack'],
    ['processor time', 'ms/order', 'the usual stack'],
    ['callback to message, p99', 'ms', 'the usual stack'],
    ['updates', 'updates/s', 'bot.start of grammY'],
    ['start', 'ms', 'the bare bot'],
    ['idle memory', 'MB', 'the bare bot'],
  ])
})
