// The items of a fiscal receipt (54-FZ) in YooKassa's format, for its API and for Telegram's `provider_data`.

import type { Charge } from './provider.ts'

/** `500.00` */
function decimalRoubles(kopecks: bigint): string {
  const digits = kopecks.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const moneyOf = ({ currency, amount }: Charge) => ({ value: decimalRoubles(amount), currency })

/**
 * A top-up is sold as one service, paid in full: later purchases from the balance are not sales of their own. YooKassa's own receipts, and
 * cash registers of FFD 1.2, require `measure`.
 */
export const receiptItems = (charge: Charge, item: string, vatCode: number) => [
  {
    description: item.slice(0, 128),
    quantity: '1.00',
    amount: moneyOf(charge),
    vat_code: vatCode,
    measure: 'piece',
    payment_mode: 'full_payment',
    payment_subject: 'service',
  },
]
