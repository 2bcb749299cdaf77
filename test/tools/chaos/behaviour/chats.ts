// The traits of the chats: the form, the lines and the buttons of every version of each message of the bot, and the bot's answers to taps.

import type { Message } from 'grammy/types'
import type { ChatEvent } from '../../../../src/sandbox/telegram/index.ts'
import { buttonsOf, linksOf, wordsOf } from '../users/chats.ts'
import { kindsOf, shapeOf } from './traits.ts'

/** Parts of a message that are not traits: they are read in another way (words, buttons) or differ in every message (ids, times). */
const ignored = new Set(['message_id', 'date', 'edit_date', 'from', 'chat', 'text', 'caption', 'entities'])

export const saidByPerson = 'chat: said by a person'

export function* traitsOfEvent({ type, data }: ChatEvent): Generator<string> {
  if (type === 'message' || type === 'edited') {
    const { reactions: _, reply_markup, ...message } = data
    if (message.from?.is_bot !== true) return yield saidByPerson
    const inline = reply_markup && 'inline_keyboard' in reply_markup ? { reply_markup } : {}
    return yield* traitsOfMessage(type, { ...message, ...inline })
  }
  yield `chat: ${type}`
  if (type === 'error') yield `chat: refused: ${data.method} ${shapeOf(data.description)}`
  if (type === 'answer') yield `chat: answer to a tap: ${shapeOf(data.text ?? '')}`
}

function* traitsOfMessage(how: 'message' | 'edited', message: Message): Generator<string> {
  for (const line of wordsOf(message).split('\n')) yield `chat ${how}: ${shapeOf(line)}`
  for (const { label, data } of buttonsOf(message))
    yield `chat ${how}: button ${shapeOf(label)} ${data.split(':', 1)}`
  for (const link of linksOf(message)) yield `chat ${how}: link to ${shapeOf(link.split('/')[2] ?? '')}`
  for (const { type } of message.entities ?? message.caption_entities ?? []) yield `chat ${how}: ${type}`
  for (const [name, value] of Object.entries(message))
    if (!ignored.has(name) && name !== 'reply_markup')
      for (const kind of kindsOf(value, name)) yield `chat ${how}: ${kind}`
}
