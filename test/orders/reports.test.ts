// Which orders may be reported to the operator.

import { expect, it } from 'vitest'
import { mayReport } from '../../src/orders/generation.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

it.each([
  ['charged', { state: 'succeeded', captured: 1n, refunded: null }, true],
  ['free', { state: 'succeeded', captured: 0n, refunded: null }, false],
  ['refunded', { state: 'succeeded', captured: 1n, refunded: 1n }, false],
  ['failed', { state: 'failed', captured: 0n, refunded: null }, false],
] as const)(
  'only a charged order may be reported to the operator: an order that is %s',
  async (_, change, may) => {
    const generation = await order(world, await userWith(world, 100_00n))
    expect(mayReport({ ...generation, ...change })).toBe(may)
  },
)
