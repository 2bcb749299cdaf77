// Requests originals of pictures: taps "What next" below a result, or below its copy from /history, then "Originals".

import type { Errand } from './errands.ts'
import { buttonOf, type Person } from './person.ts'
import { messagesAbout } from './results.ts'
import type { Town } from './town.ts'

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
