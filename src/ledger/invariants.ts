// All invariants of money. Values that must agree are written by one statement, so each invariant holds at every moment. The sum of all
// accounts needs no query: it is zero, since every transfer has two accounts.

import { balances } from './invariants/balances.ts'
import { gifts } from './invariants/gifts.ts'
import { named } from './invariants/invariant.ts'
import { brokenOrders, generations, turns } from './invariants/orders.ts'
import { payments } from './invariants/payments.ts'
import { sales } from './invariants/sales.ts'

/** Queries, each of which returns the name of a broken invariant, the subject that breaks it, and the facts. */
export const checks: readonly string[] = [
  ...balances.map(named),
  brokenOrders(generations),
  brokenOrders(turns),
  ...[...sales, ...payments, ...gifts].map(named),
]
