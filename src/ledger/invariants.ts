// All invariants of money. Values that must agree are written by one statement, so each invariant holds at every moment. The sum of all
// accounts needs no query: it is zero, since every transfer has two accounts.

import { balances } from './invariants/balances.ts'
import { gifts } from './invariants/gifts.ts'
import type { Invariant } from './invariants/invariant.ts'
import { generations, ofOrders, turns } from './invariants/orders.ts'
import { payments } from './invariants/payments.ts'
import { results } from './invariants/results.ts'
import { sales } from './invariants/sales.ts'

export const invariants: readonly Invariant[] = [
  ...balances,
  ofOrders(generations),
  ofOrders(turns),
  ...sales,
  ...results,
  ...payments,
  ...gifts,
]
