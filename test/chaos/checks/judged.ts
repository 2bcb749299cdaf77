// The orders, judged by the model.

import { type JudgedOrder, judgeOrders } from '../model/orders.ts'
import type { Evidence } from './check.ts'

export const judged = ({ book, tasks, ordered, chats, desk }: Evidence): readonly JudgedOrder[] =>
  judgeOrders({
    wanted: book.orders,
    made: tasks,
    entered: ordered.map(({ captured, ...one }) => ({ ...one, captured: captured ?? 0 })),
    saidIn: (place) => chats.of(place).told(),
    refundedByOperators: new Set(desk.refunds.map(({ generation }) => generation)),
  })
