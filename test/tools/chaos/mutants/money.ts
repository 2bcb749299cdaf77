// Mistakes in money moves.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const moneyMutants: readonly Mutant[] = [
  {
    name: 'ledger-in-two-statements',
    mistake: 'the state changes first, the money moves after it',
    changes: [
      {
        file: 'src/ledger/ledger.ts',
        find: '    const [posted] = await rows(db, statement, z.object({ posted: z.boolean() }))\n',
        put: `    const first = sql\`with guard as (\${guard}) select true as posted from guard limit 1\`
    const [posted] = await rows(db, first, z.object({ posted: z.boolean() }))
    const always = [{ name: 'guard', statement: sql\`select 1\` }, ...parts.slice(1)]
    if (posted && statement) await db.execute(withParts(always, sql\`select 1\`))
`,
      },
    ],
  },
  {
    name: 'failure-is-captured',
    mistake: 'a generation that failed is charged',
    faults: calm,
    changes: [
      {
        file: 'src/orders/settle.ts',
        find: '{ captured: 0n, reason,',
        put: '{ captured: held.amount, reason,',
      },
    ],
  },
  {
    name: 'part-is-captured-whole',
    mistake: 'less arrived than was ordered, and all of it is charged',
    faults: calm,
    changes: [
      {
        file: 'src/orders/settle.ts',
        find: '(amount * BigInt(Math.min(came, ordered))) / BigInt(ordered)',
        put: 'amount * BigInt(Math.sign(came * ordered))',
      },
    ],
  },
  {
    name: 'hold-without-balance',
    mistake: 'a hold does not check the balance',
    faults: calm,
    changes: [
      {
        file: 'drizzle/20261127073937_accounts/migration.sql',
        find: 'CHECK ("available" >= -"owed" and "held" >= 0 and "owed" >= 0 and "open_orders" >= 0 and "spent_today" >= 0)',
        put: 'CHECK (true)',
      },
      { file: 'src/orders/confirm.ts', find: ' and w.available >= q.amount', put: '' },
    ],
  },
  {
    name: 'no-limit-of-orders',
    mistake: 'a person may have any number of orders at once',
    settings: { concurrent: 1 },
    faults: calm,
    changes: [
      {
        file: 'src/orders/confirm.ts',
        find: `a.open_orders < \${integer(limits.concurrent)}`,
        put: `a.open_orders <> \${integer(limits.concurrent)} * -1`,
      },
    ],
  },
  {
    name: 'credit-by-chance',
    mistake: 'a payment is credited by a key of its own each time it is reported',
    changes: [
      {
        file: 'src/payments/top-ups.ts',
        find: 'export async function creditPayment(deps: TopUpDeps, paid: Credit, chargeId: string)',
        put: 'export async function creditPayment(deps: TopUpDeps, paid: Credit, charge: string, chargeId = charge + deps.ids.next())',
      },
    ],
  },
  {
    name: 'lost-is-held-too-long',
    mistake: 'an order whose answer was lost is given back after half an hour instead of ten minutes',
    // Without callbacks, since a callback would reveal the task.
    settings: { updates: 'polling', callbacks: false },
    faults: { ...calm, operations: /^create$/ },
    changes: [
      {
        file: 'src/orders/submit.ts',
        find: 'getTime() + unknownGraceMs',
        put: 'getTime() + 3 * unknownGraceMs',
      },
    ],
  },
]
