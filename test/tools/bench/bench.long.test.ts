// `npm run bench` works in quick mode, whose figures are too small to be meaningful. Speed is never asserted.

import { expect, inject, it } from 'vitest'
import { start } from '../../support/runtime/child.ts'

it('npm run bench measures every figure', async () => {
  const args = ['--quick', '--cluster', inject('postgresUrl')]
  const child = start('test/tools/bench/main.ts', { PATH: process.env.PATH ?? '' }, args)
  expect({ code: await child.ended, said: child.complaints() }).toEqual({ code: 0, said: '' })
  const rows = child.output().matchAll(/^(\S.*?) {2,}\d[\d.]* +(\S+) +(-|\d[\d.]*) +(-|\d[\d.]*) {2,}\S/gm)
  expect([...rows].map(([, name, unit, bare]) => [name, unit, bare === '-'])).toEqual([
    ['orders', 'orders/s', true],
    ['processor time', 'ms/order', true],
    ['updates', 'updates/s', false],
    ['start', 'ms', false],
    ['idle memory', 'MB', false],
  ])
})
