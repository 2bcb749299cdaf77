// Judges the orders by the harness's model.

import { type JudgedOrder, judgeOrders } from '../model/orders.ts'
import type { Evidence } from './check.ts'
import { isUndecided } from './undecided.ts'

export function judged(evidence: Evidence): readonly JudgedOrder[] {
  const { book, tasks, ordered, chats, desk, operatorReasons } = evidence
  const done = new Set(operatorReasons)
  const decided = desk.refunds.filter((one) => done.has(one.reason) || !isUndecided(evidence, one))
  return judgeOrders({
    wanted: book.orders,
    made: tasks,
    entered: ordered.map(({ captured, ...one }) => ({ ...one, captured: captured ?? 0 })),
    saidIn: (place) => chats.of(place).told(),
    refundedByOperators: new Set(decided.map(({ generation }) => generation)),
  })
}
