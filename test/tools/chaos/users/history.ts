// Requests old results: an order is opened in /history, and its files are sent again.

import { buttonsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { messagesAbout, type Order } from './ordering.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'

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

// Requests originals of pictures: taps "What next" below a result, or below its copy from /history, then "Originals".

export interface OriginalsAsked {
  /** The chat of the tap. */
  readonly place: number
  /** The id of the order. */
  readonly generation: string
  readonly tap: string
}

const next = 'rm:'
const originals = 'o:'
const groupShare = 0.2
const twiceShare = 0.3

export const askForOriginals: Errand = async (town, person) => {
  const group = town.groups.find(({ members }) => members.includes(person.id))
  const isThere = group !== undefined && person.chance.happens(groupShare)
  const [place, there] = isThere ? [group.id, person.in(group.id)] : [person.id, person]
  const messageId = choosePicture(town, there)
  if (messageId === undefined) return
  const opened = await open(there, messageId)
  if (opened === undefined) return
  const times = person.chance.happens(twiceShare) ? 2 : 1
  const taps = await Promise.all(Array.from({ length: times }, () => there.taps(messageId, opened)))
  const generation = opened.slice(originals.length)
  for (const tap of taps) if (tap) town.originalsAsked.push({ place, generation, tap })
}

const newest = 8

/** Chooses a message with a picture; results of other kinds have no originals. @returns its id */
function choosePicture({ book }: Town, { chat, chance }: Person): number | undefined {
  const pictures = messagesAbout(book, chat).filter(
    ({ order, message }) => order.command === 'image' && buttonOf(message, next) !== undefined,
  )
  return pictures.length === 0 ? undefined : chance.pick(pictures.slice(-newest)).message.message_id
}

/** @returns the callback data of the button "Originals"; undefined below the result of another person */
async function open(person: Person, messageId: number): Promise<string | undefined> {
  const shown = person.chat.shown.get(messageId)?.message
  const opens = shown && buttonOf(shown, next)
  if (!opens) return undefined
  await person.taps(messageId, opens)
  const opened = await person.sees(
    (message) => message.message_id === messageId && buttonOf(message, originals) !== undefined,
  )
  return opened && buttonOf(opened, originals)
}

// Cancels orders while they wait for their submit. The button is below the status only for a moment.

export interface Withdrawal {
  /** The chat of the tap. */
  readonly place: number
  /** The id of the order. */
  readonly generation: string
  readonly tap: string
}

const cancels = 'gc:'
const share = 0.2

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
