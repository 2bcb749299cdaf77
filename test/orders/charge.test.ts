// The charge for the results of an order. The price of several results need not be a multiple of their number, since it may be rounded.

import { expect, it } from 'vitest'
import { chargeFor } from '../../src/orders/settle.ts'

it('all results cost the whole price, also if more came than were ordered', () => {
  expect([chargeFor(100n, 3, 3), chargeFor(100n, 4, 3), chargeFor(1n, 2, 2)]).toEqual([100n, 100n, 1n])
})

it('a part of the results costs its part of the price, rounded down', () => {
  expect([chargeFor(100n, 1, 3), chargeFor(100n, 2, 3), chargeFor(100n, 0, 3)]).toEqual([33n, 66n, 0n])
})
