// What a message refers to: a message of this chat or of another one, or a story; and what Telegram says of it in words.

import type { Location, Message } from 'grammy/types'
import { repliedTo } from './notes.ts'

/** A message of another chat has no text here: a client quotes it. */
export type Referred = Omit<Partial<Message>, 'reply_to_message'>

export function referredTo(message: Message): Referred | undefined {
  const { external_reply: external, reply_to_story: story } = message
  return repliedTo(message) ?? external ?? (story && { story })
}

/** Contents that are facts in place of a text or a file, as text. */
export function factsOf(message: Referred): string | undefined {
  const { poll, checklist, venue, location, contact, dice, invoice, game } = message
  const titled = invoice ?? game
  if (poll) return listText(poll.question, poll.options)
  if (checklist) return listText(checklist.title, checklist.tasks)
  if (venue) return [venue.title, venue.address, placeText(venue.location)].join('\n')
  if (location) return placeText(location)
  if (contact) return [contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')
  if (titled) return [titled.title, titled.description].join('\n')
  return dice && `${dice.emoji} ${dice.value}`
}

const listText = (title: string, items: readonly { readonly text: string }[]): string =>
  [title, ...items.map(({ text }) => `- ${text}`)].join('\n')

const placeText = ({ latitude, longitude }: Location): string => `${latitude}, ${longitude}`
