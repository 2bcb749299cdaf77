// Mistakes planted by an author who had not read the harness. No check was written for one of them.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const strangersMutants: readonly Mutant[] = [
  {
    name: 'answer-captures-hold',
    mistake: 'an answer of a text model costs all that was held for it',
    faults: calm,
    changes: [
      {
        file: 'src/chat/turns.ts',
        find: 'captured: captured < amount ? captured : amount,',
        put: 'captured: captured > 0n ? amount : captured,',
      },
    ],
  },
  {
    name: 'answer-unsent',
    mistake: 'an answer that was paid for is marked as sent and is not sent',
    faults: calm,
    changes: [
      {
        file: 'src/bot/chat/deliver.ts',
        find: 'const message = await sendPart(sender, turn, at, recipient)',
        put: 'const message = turn.captured ? undefined : await sendPart(sender, turn, at, recipient)',
      },
    ],
  },
  {
    name: 'refund-twice',
    mistake: "an operator's refund is given again when it is asked for again",
    faults: calm,
    changes: [
      {
        file: 'src/operator/refunds.ts',
        find: '  const rest = unrefunded(generation)\n',
        put: '  const rest = generation.captured\n',
      },
      {
        file: 'src/operator/refunds.ts',
        find: `where id = \${generationId} and refunded is not distinct from \${before}::bigint and`,
        put: `where id = \${generationId} and`,
      },
      {
        file: 'src/operator/refunds.ts',
        find: `and coalesce(refunded, 0) + \${amount}::bigint <= captured and \${part`,
        put: `and \${part`,
      },
      {
        file: 'src/ledger/moves.ts',
        find: 'key: order.refunded ? nextRefundKey(order.id, order.refunded) : refundKey(order.id),',
        put: `key: \`refund:\${order.id}:\${Math.random()}\`,`,
      },
    ],
  },
  {
    name: 'part-refunds-all',
    mistake: 'some files of an order cannot be had, and all of its price is given back',
    faults: calm,
    changes: [
      {
        file: 'src/orders/deliver/deliver.ts',
        find: 'return captured - chargeFor(captured, arrived, results)',
        put: 'return arrived < results ? captured : 0n',
      },
    ],
  },
  {
    name: 'amount-unchecked',
    mistake: 'the paid amount is not compared with that of the invoice',
    faults: calm,
    changes: [
      {
        file: 'src/payments/top-ups.ts',
        find: 'topUp.currency === paid.currency && topUp.charge === paid.charge',
        put: 'topUp.currency === paid.currency',
      },
    ],
  },
  {
    name: 'revealed-to-any',
    mistake: 'a task that a callback reveals goes to any order that waits for its own',
    // These settings make several orders wait for their tasks at once, and make their first polls fail.
    settings: { calledBack: 0.9, welcomeCredit: 200 },
    faults: { ...calm, outside: 0.1, operations: /^(create|poll)$/, ways: /^(answer lost|hang)$/, forger: 0 },
    changes: [
      {
        file: 'src/orders/poll.ts',
        find: '.where(eq(generationId, held.id))',
        put: '',
      },
    ],
  },
  {
    name: 'no-daily-cap',
    mistake: 'the daily cap is not a part of the statement that holds the money',
    faults: calm,
    changes: [
      {
        file: 'src/orders/confirm.ts',
        find: `(\${cap} is null or `,
        put: `(\${cap} is not null or `,
      },
    ],
  },
  {
    name: 'leases-not-renewed',
    mistake: 'the lease of a row expires although its process works on it',
    faults: calm,
    changes: [
      {
        file: 'src/runtime/queue-worker.ts',
        find: 'if (rows.length > 0) await queue.renew',
        put: 'if (rows.length > 10_000) await queue.renew',
      },
    ],
  },
  {
    name: 'first-page-of-stars',
    mistake: 'only the first page of the list of Stars is read',
    faults: calm,
    changes: [
      {
        file: 'src/payments/reconcile.ts',
        find: 'if (page.count < pageSize) return offset',
        put: 'return 0',
      },
    ],
  },
]
