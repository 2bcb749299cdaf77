// Mistakes in payments at YooKassa.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const paymentMutants: readonly Mutant[] = [
  {
    name: 'page-opened-twice',
    mistake: 'a payment page whose answer was lost is opened again as another payment',
    faults: { ...calm, outside: 0.05, operations: /^create$/ },
    changes: [
      {
        file: 'src/payments/yookassa/index.ts',
        find: `client.post('/payments', order.topUpId, paymentBody`,
        put: `client.post('/payments', \`\${Math.random()}\`, paymentBody`,
      },
    ],
  },
  {
    name: 'declined-is-awaited',
    mistake: 'a payment that was declined is still awaited',
    faults: calm,
    changes: [
      {
        file: 'src/payments/yookassa/index.ts',
        find: `if (status === 'canceled') return { is: 'canceled', reason: cancellation_details?.reason ?? '' }`,
        put: `if (status === 'canceled' && cancellation_details === undefined) return { is: 'canceled', reason: '' }`,
      },
    ],
  },
  {
    name: 'refund-elsewhere-unseen',
    mistake: 'a refund in the list of Stars is passed over when its payment is known',
    faults: calm,
    changes: [
      {
        file: 'src/payments/reconcile.ts',
        find: `const handled = movement.is === 'paid' ? credited : refunded`,
        put: 'const handled = credited',
      },
    ],
  },
  {
    name: 'notification-names-refund',
    mistake: 'a refund at YooKassa is read as one of another payment, in a notification and in the list',
    faults: calm,
    changes: [
      {
        file: 'src/payments/yookassa/index.ts',
        find: 'externalId: payment_id ?? id,',
        put: 'externalId: id ?? payment_id,',
      },
      {
        file: 'src/payments/yookassa/refund-list.ts',
        find: 'items.map(({ payment_id }) => payment_id)',
        put: 'items.map(({ payment_id }) => payment_id.slice(1))',
      },
    ],
  },
]
