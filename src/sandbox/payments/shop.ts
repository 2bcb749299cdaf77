// The payments of a double without rules of its own for them: paid or declined on the page, or expired; refunded as a whole.

import { join } from 'node:path'
import { z } from 'zod'
import { openStore } from '../json-store.ts'
import type { Payments } from './checkout.ts'
import type { DoubleDeps } from './double.ts'

const payment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  /** In kopecks. */
  amount: z.int(),
  description: z.string(),
  returnUrl: z.string(),
  /** What the app sent to have it repeated. */
  payload: z.string(),
  expiresAt: z.number(),
  isRefunded: z.boolean(),
})
export type Payment = z.output<typeof payment>

const saved = z.object({ version: z.literal(1), payments: z.array(payment) })

export interface Shop extends Payments {
  find(id: string): Payment
  create(order: Omit<Payment, 'status' | 'isRefunded'>): Payment
}

interface Rules {
  readonly missing: (id: string) => Error
  readonly changed: (payment: Payment) => void
  readonly refunds: boolean
}

export function openShop(
  { clock, folder, keepsState }: DoubleDeps,
  name: string,
  { missing, changed, refunds }: Rules,
): Shop {
  const empty: z.output<typeof saved> = { version: 1, payments: [] }
  const { state, save } = openStore(join(folder(name), `${name}.json`), saved, empty, keepsState)

  function find(id: string): Payment {
    const found = state.payments.find((one) => one.id === id)
    if (!found) throw missing(id)
    if (found.status === 'pending' && clock.now().getTime() > found.expiresAt) found.status = 'canceled'
    return found
  }

  return {
    list: () => state.payments,
    find,
    create(order) {
      const made: Payment = { ...order, status: 'pending', isRefunded: false }
      state.payments.push(made)
      return made
    },
    decide(id, action) {
      const found = find(id)
      if (action === 'refund') {
        if (!refunds || found.status !== 'succeeded' || found.isRefunded) return
        found.isRefunded = true
      } else {
        if (found.status !== 'pending') return
        found.status = action === 'pay' ? 'succeeded' : 'canceled'
      }
      changed(found)
    },
    save,
  }
}
