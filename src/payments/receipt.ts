// The goods of a fiscal receipt (54-FZ) as YooKassa reads them, in its API and in Telegram's `provider_data`.

import type { Charge } from './provider.ts'

/** `500.00` */
function decimalAmount(kopecks: bigint): string {
  const digits = kopecks.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const moneyOf = ({ currency, amount }: Charge) => ({ value: decimalAmount(amount), currency })

/** The description of a receipt's item ends here. */
const maxDescription = 128

/** One service, paid in full: what the balance buys later is no sale of its own. */
export const receiptItems = (charge: Charge, item: string, vatCode: number) => [
  {
    description: item.slice(0, maxDescription),
    quantity: '1.00',
    amount: moneyOf(charge),
    vat_code: vatCode,
    payment_mode: 'full_payment',
    payment_subject: 'service',
  },
]
