// The list of refunds: filtered, newest first, in pages. The cursor of a page is the id of its first refund.

import { type Refund, refundView } from './payment.ts'
import { YookassaRefusal } from './refusal.ts'
import type { RefundQuery } from './requests.ts'

/** @param refunds in the order in which they were made */
export function refundPage(refunds: readonly Refund[], query: RefundQuery) {
  const found = refunds.filter((refund) => isAsked(refund, query)).reverse()
  const start = query.cursor === undefined ? 0 : found.findIndex(({ id }) => id === query.cursor)
  if (start < 0) throw new YookassaRefusal(400, 'invalid_request', 'The cursor is unknown', 'cursor')
  const end = start + query.limit
  const next = found[end]?.id
  return {
    type: 'list',
    items: found.slice(start, end).map(refundView),
    ...(next === undefined ? {} : { next_cursor: next }),
  }
}

/** All refunds of the double succeed at once. */
function isAsked({ createdAt, paymentId }: Refund, query: RefundQuery): boolean {
  const { 'created_at.gte': gte, 'created_at.gt': gt, 'created_at.lte': lte, 'created_at.lt': lt } = query
  return (
    (gte === undefined || createdAt >= gte) &&
    (gt === undefined || createdAt > gt) &&
    (lte === undefined || createdAt <= lte) &&
    (lt === undefined || createdAt < lt) &&
    (query.payment_id === undefined || paymentId === query.payment_id) &&
    (query.status === undefined || query.status === 'succeeded')
  )
}
