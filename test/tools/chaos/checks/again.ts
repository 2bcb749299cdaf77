// "Again" below a result: each tap opens one card or is answered with a reason, and two taps within five seconds order once.

import type { Check, Evidence } from './check.ts'
import type { Ordered } from './tasks.ts'

export const everyAgainIsAnswered: Check = {
  name: 'every tap on Again has a card, or is told why not',
  async find({ database: { sql }, book, chats, journal }: Evidence) {
    const drafts = await sql`select update_id::text as "updateId" from drafts where update_id is not null`
    const begun = new Set(drafts.map(({ updateId }) => Number(updateId)))
    // A handled tap is answered; the answer is empty if the tap opened a card or ordered.
    const lacking = [...book.byUpdate]
      .filter(([updateId, { place, again }]) => {
        const said = chats.of(place).answers.get(again?.tap ?? '')
        return said === '' && !begun.has(updateId)
      })
      .map(([, { mark, person }]) => ({ about: mark, fact: `no card for ${person}` }))
    // After a fault of answerCallbackQuery the app takes no further step, so each such fault explains one missing card.
    return lacking.length > journal.sum(/^fault: telegram answerCallbackQuery /) ? lacking : []
  },
}

/** By the app's clock. A shorter distance between two orders means two taps on one button. */
const momentMs = 5000

export const aSecondTapOrdersNothing: Check = {
  name: 'two taps on Again within a moment order once',
  find({ ordered, book, journal }: Evidence) {
    const repeated = ordered.filter((one) => isAtOnce(one, book))
    journal.count('orders by Again', repeated.length)
    const repeatedBefore = (one: Ordered) => {
      const order = book.orders.get(one.mark)
      return ordered.find((other) => {
        const before = book.orders.get(other.mark)
        const ms = one.createdAt.getTime() - other.createdAt.getTime()
        return (
          order !== undefined &&
          before?.again?.generation === order.again?.generation &&
          before?.person === order.person &&
          before.place === order.place &&
          other.id !== one.id &&
          ms >= 0 &&
          ms < momentMs
        )
      })
    }
    return repeated.flatMap((one) => {
      const before = repeatedBefore(one)
      return before ? [{ about: one.mark, fact: `generations ${before.id} and ${one.id}` }] : []
    })
  },
}

/** Whether the tap on "Again" ordered at once, without Generate on a card. */
const isAtOnce = ({ mark, quoteId }: Ordered, book: Evidence['book']): boolean => {
  const order = book.orders.get(mark)
  return order?.again?.price !== undefined && !order.offers.has(`q:${quoteId}`)
}
