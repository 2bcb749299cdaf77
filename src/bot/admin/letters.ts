// Letters: what an operator writes to one person, as a message of the bot in the private chat of that person. The log of actions records who
// wrote to whom, and not the words.

import type { Api } from 'grammy'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { type MessageRef, writeNote } from '../../telegram/message-notes.ts'
import { htmlWithoutPreview, isRefusal } from '../../telegram/send.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { plainNote } from '../notes.ts'

/** The note of the messages in a person's private chat to which a reply is for the operators: see support.ts. */
export const supportNote = plainNote('support')

interface Letter {
  /** The Telegram id of the operator. */
  readonly by: number
  readonly userId: bigint
  /** Words, or the operator's message with a file, which is copied with its caption. */
  readonly content: string | MessageRef
  /** What the letter answers, for the log: `{ report: … }`. */
  readonly details?: Readonly<Record<string, string>>
}

/** UTF-16 units of words that fit into one message with the frame around them. */
export const longestLetter = 3500

/** `unreachable`: the person has blocked the bot or was deleted, or Telegram copies no such message. */
type LetterOutcome = 'sent' | 'too-long' | 'unreachable'

/** Sends the letter and records it. @throws when Telegram does not answer, so that the update is handled again */
export async function sendLetter(
  deps: Pick<BotDeps, 'db' | 'clock' | 'texts'>,
  api: Api,
  { by, userId, content, details = {} }: Letter,
): Promise<LetterOutcome> {
  const user = await findUser(deps.db, userId)
  if (!user?.telegramId) return 'unreachable'
  const chat = { id: user.telegramId }
  const say = deps.texts(user.locale)
  const isText = typeof content === 'string'
  if (isText && content.length > longestLetter) return 'too-long'
  const html = isText ? say.html('letter', { words: content }) : say.html('letter-file')
  const note = (message_id: number) =>
    writeNote(deps, { chat, message_id }, { kind: supportNote, userId, about: {} })
  try {
    // What cannot be copied is not announced.
    if (!isText) await note((await api.copyMessage(chat.id, content.chat.id, content.message_id)).message_id)
    await note((await api.sendMessage(chat.id, html, htmlWithoutPreview)).message_id)
  } catch (error) {
    if (isRefusal(error)) return 'unreachable'
    throw error
  }
  await recordAction(deps, { by, action: 'letter', subject: userSubject(userId), details })
  return 'sent'
}
