// What the results of an order cost, and what is refunded for those that are missing. The price of several results need not be a multiple
// of their number, since it may be rounded.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shareOf } from '../../src/orders/deliver/deliver.ts'
import { chargeFor } from '../../src/orders/settle.ts'

it('all results cost the whole price, also if more came than were ordered, and a part its part, rounded down', () => {
  expect([chargeFor(100n, 3, 3), chargeFor(100n, 4, 3), chargeFor(1n, 2, 2)]).toEqual([100n, 100n, 1n])
  expect([chargeFor(100n, 1, 3), chargeFor(100n, 2, 3), chargeFor(100n, 0, 3)]).toEqual([33n, 66n, 0n])
})

it.each([
  [300n, { lost: 1, files: 3, paid: 3, others: 0 }, 100n],
  [100n, { lost: 1, files: 3, paid: 3, others: 0 }, 34n],
  [100n, { lost: 3, files: 3, paid: 3, others: 0 }, 100n],
  [100n, { lost: 1, files: 2, paid: 1, others: 0 }, 0n],
  [100n, { lost: 1, files: 2, paid: 1, others: 1 }, 100n],
  [100n, { lost: 0, files: 1, paid: 1, others: 1 }, 0n],
  [75n, { lost: 1, files: 3, paid: 4, others: 2 }, 25n],
  [300n, { lost: 1, files: 6, paid: 3, others: 3 }, 100n],
  [300n, { lost: 1, files: 6, paid: 3, others: 2 }, 0n],
  [300n, { lost: 4, files: 6, paid: 3, others: 1 }, 200n],
])('with %s kopecks captured, %o leads to a refund of %s', (captured, counts, share) => {
  expect(shareOf(captured, counts)).toBe(share)
})

it('the refund is zero when no file is missing, everything when all are, and never shrinks with more missing files', () => {
  const order = fc
    .record({ files: fc.integer({ min: 1, max: 20 }), paid: fc.integer({ min: 1, max: 6 }) })
    .chain(({ files, paid }) =>
      fc.record({
        files: fc.constant(files),
        paid: fc.constant(paid),
        lost: fc.integer({ min: 0, max: files }),
        captured: fc.bigInt({ min: 0n, max: 1_000_000n }),
      }),
    )
    .chain((one) => fc.integer({ min: 0, max: one.files - one.lost }).map((others) => ({ ...one, others })))
  fc.assert(
    fc.property(order, ({ captured, ...counts }) => {
      const share = shareOf(captured, counts)
      expect(share >= 0n && share <= captured).toBe(true)
      if (counts.lost === 0) expect(share).toBe(0n)
      if (counts.lost === counts.files) expect(share).toBe(captured)
      if (counts.lost > 0) expect(shareOf(captured, { ...counts, lost: counts.lost - 1 }) <= share).toBe(true)
    }),
  )
})
