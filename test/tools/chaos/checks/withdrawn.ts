// Checks that an order is cancelled only after a tap of its person, that the person is told, and that the gateway has no task for it.

import type { Check, Evidence } from './check.ts'
import type { Ordered } from './tasks.ts'

export const everyWithdrawalIsKept: Check = {
  name: 'an order is cancelled if its person did it and was told so, and is not made then',
  find({ withdrawals, ordered, chats, tasks, journal }: Evidence) {
    const isCancelled = ({ reason }: Ordered) => reason === 'withdrawn'
    const tapped = new Set(withdrawals.map(({ generation }) => generation))
    const told = new Set(
      withdrawals
        .filter(({ place, tap }) => chats.of(place).answers.get(tap) === 'Order cancelled')
        .map(({ generation }) => generation),
    )
    journal.count('orders that people tried to cancel', tapped.size)
    journal.count('orders cancelled while they waited', ordered.filter(isCancelled).length)
    const made = new Set(tasks.map(({ mark }) => mark))
    return ordered.flatMap((one) => {
      const faults = [
        ...(told.has(one.id) && !isCancelled(one) ? ['its person was told that it is cancelled'] : []),
        ...(isCancelled(one) && !tapped.has(one.id) ? ['nobody cancelled it'] : []),
        ...(isCancelled(one) && made.has(one.mark) ? ['it was made although it was cancelled'] : []),
      ]
      return faults.map((fact) => ({ about: one.mark, fact: `generation ${one.id}: ${fact}` }))
    })
  },
}
