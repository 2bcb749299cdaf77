// The payments of a double without rules of its own for them: paid or declined on the page, or expired; refunded as a whole.

import { join } from 'node:path'
import { z } from 'zod'
import { openStore } from '../json-store.ts'
import type { Payments } from './checkout.ts'
import { type DoubleDeps, Refusal } from './double.ts'

const payment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: z.int(),
  description: z.string(),
  returnUrl: z.string(),
  payload: z.string(),
  expiresAt: z.number(),
  isRefunded: z.boolean(),
})
export type Payment = z.output<typeof payment>

const saved = z.object({ version: z.literal(1), payments: z.array(payment) })

/** @param changed called after an action */
export function openShop(
  { clock, folder, keepsState }: DoubleDeps,
  name: string,
  changed: (payment: Payment) => void,
) {
  const empty: z.output<typeof saved> = { version: 1, payments: [] }
  const { state, save } = openStore(join(folder(name), `${name}.json`), saved, empty, keepsState)

  function find(id: string): Payment {
    const found = state.payments.find((one) => one.id === id)
    if (!found) throw new Refusal(404, { message: 'Transaction not found' })
    if (found.status === 'pending' && clock.now().getTime() > found.expiresAt) found.status = 'canceled'
    return found
  }

  return {
    list: () => state.payments,
    find,
    create(lifetimeMs: number, order: Omit<Payment, 'status' | 'expiresAt' | 'isRefunded'>): Payment {
      const expiresAt = clock.now().getTime() + lifetimeMs
      const made: Payment = { ...order, expiresAt, status: 'pending', isRefunded: false }
      state.payments.push(made)
      return made
    },
    decide(id, action) {
      const found = find(id)
      if (found.status !== (action === 'refund' ? 'succeeded' : 'pending') || found.isRefunded) return
      if (action === 'refund') found.isRefunded = true
      else found.status = action === 'pay' ? 'succeeded' : 'canceled'
      changed(found)
    },
    save,
  } satisfies Payments & Record<string, unknown>
}
