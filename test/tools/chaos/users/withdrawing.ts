// Cancels orders while they wait for their submit. The button is below the status only for a moment.

import type { Order } from './orders.ts'
import { buttonOf, type Person } from './person.ts'
import type { Town } from './town.ts'

export interface Withdrawal {
  /** The chat of the tap. */
  readonly place: number
  /** The id of the order. */
  readonly generation: string
  readonly tap: string
}

const cancels = 'gc:'
const share = 0.2
const twiceShare = 0.3

/** Sometimes cancels an order as soon as its card has become a status. @param messageId the id of the card */
export async function changeMind(
  { withdrawals, journal }: Town,
  person: Person,
  { mark, place }: Order,
  messageId: number,
): Promise<void> {
  const { chance } = person
  if (!chance.happens(share)) return
  const status = await person.sees(
    (message) => message.message_id === messageId && buttonOf(message, cancels) !== undefined,
  )
  const data = status && buttonOf(status, cancels)
  if (!data) return
  journal.note(mark, `cancels the order on message ${messageId} (${data})`)
  const taps = Array.from({ length: chance.happens(twiceShare) ? 2 : 1 }, () => person.taps(messageId, data))
  for (const tap of await Promise.all(taps))
    if (tap) withdrawals.push({ place, generation: data.slice(cancels.length), tap })
}
