// Letters: what an operator writes to one person, as a message of the bot in the private chat of that person, by /message, or in answer to a
// report, which stays open. The log of actions records who wrote to whom, and not the words.

import type { Api } from 'grammy'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { findPerson, type Person } from '../../operator/people.ts'
import { findReport } from '../../operator/reports.ts'
import { type MessageRef, writeNote } from '../../telegram/message-notes.ts'
import { htmlWithoutPreview, isRefusal } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { findUser } from '../../users/user.ts'
import { alertStale, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { supportNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'
import { ask, type Given } from './operator.ts'
import { aboutUser } from './people.ts'
import { nameOf } from './texts.ts'

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
const longestLetter = 3500

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

export const writing = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.answerReport, async (ctx, { reportId }) => {
      const report = await findReport(deps.db, reportId)
      const person = report && (await findPerson(deps.db, report.userId))
      if (!person) return alertStale(ctx)
      await answerTap(ctx)
      const html = ctx.say.html('admin-ask-answer', { name: nameOf(person) })
      await ask(deps, ctx, 'answer_report', reportId, html)
    }),
  ],
})

/** /message <user> <words>. The answer to the question about a chosen user is sent at once. */
export function message(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb: 'message',
    isAnswerDone: true,
    read: (words) => words || (fileIn(ctx, given) && ''),
    wanted: (say, start) => say.html('admin-message-usage', { start }),
    refusal: async (_, words) =>
      words.length > longestLetter ? { html: ctx.say.html('letter-too-long'), isFinal: false } : undefined,
    question: (say, name, words) => say.html('admin-confirm-message', { name, words }),
    act: (person, words) => write(deps, ctx, person, fileIn(ctx, given) ?? words),
  })
}

/** /answer_report <report> <words> */
export async function answerReport(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  const [, id = '', words = ''] = /^(\S*)\s*(.*)$/s.exec(given.words) ?? []
  const report = await findReport(deps.db, id)
  const person = report && (await findPerson(deps.db, report.userId))
  const content = fileIn(ctx, given) ?? words
  if (!person || content === '') return ctx.say.html('admin-answer-usage')
  return write(deps, ctx, person, content, { report: id })
}

/** The message of an answer that is no text: it is copied. */
const fileIn = ({ msg }: Ctx, { as, from }: Given): MessageRef | undefined =>
  as !== 'answer' || !msg || msg.text !== undefined || msg.rich_message !== undefined
    ? undefined
    : { chat: msg.chat, message_id: from }

/** @returns why it was not sent, in HTML */
async function write(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  content: string | MessageRef,
  details: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const letter = { by: ctx.from?.id ?? 0, userId: person.id, content, details }
  const outcome = await sendLetter(deps, ctx.api, letter)
  const html = ctx.say.html(`letter-${outcome}`)
  if (outcome === 'too-long') return html
  await reply(ctx, html)
  return undefined
}
