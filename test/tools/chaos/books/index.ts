// The books of all payment providers.

import type { Outside } from '../../../../src/sandbox/outside.ts'
import type { Booked } from './booked.ts'
import { readStars } from './stars.ts'
import { bookedIn, readShop, type ShopPayment } from './yookassa.ts'

export interface Books extends Booked {
  /** All payments at YooKassa, including unpaid ones. */
  readonly shop: readonly ShopPayment[]
}

export async function readBooks(outside: Pick<Outside, 'url' | 'env'>): Promise<Books> {
  const [stars, shop] = await Promise.all([readStars(outside), readShop(outside)])
  const yookassa = bookedIn(shop)
  return {
    paid: new Map([...stars.paid, ...yookassa.paid]),
    refunded: new Set([...stars.refunded, ...yookassa.refunded]),
    shop,
  }
}
