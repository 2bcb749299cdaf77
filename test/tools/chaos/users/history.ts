// Requests old results: an order is opened in /history, and its files are sent again.

import { buttonsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { buttonOf, lastMessage } from './person.ts'

export interface SentAgain {
  readonly person: number
  /** The id of the order. */
  readonly generation: string
  readonly tap: string
}

export const askAgain: Errand = async ({ sentAgain }, person) => {
  const before = lastMessage(person)
  await person.says('/history')
  const list = await person.sees(
    (message) => message.message_id > before && buttonOf(message, 'hg:') !== undefined,
  )
  if (!list) return
  const orders = buttonsOf(list).filter(({ data }) => data.startsWith('hg:'))
  await person.taps(list.message_id, person.chance.pick(orders).data)
  const opened = await person.sees(
    (message) => message.message_id >= list.message_id && buttonOf(message, 'hs:') !== undefined,
  )
  const data = opened && buttonOf(opened, 'hs:')
  const tap = data && (await person.taps(opened.message_id, data))
  if (tap) sentAgain.push({ person: person.id, generation: data.slice('hs:'.length), tap })
}
