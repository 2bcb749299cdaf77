// What operators write to one person: /message, and the answer to a report in words, after which the report is still open.

import { findPerson, type Person } from '../../operator/people.ts'
import { findReport } from '../../operator/reports.ts'
import type { MessageRef } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { alertStale, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import { longestLetter, sendLetter } from './letters.ts'
import { ask, type Given } from './operator.ts'
import { aboutUser } from './people.ts'
import { nameOf } from './texts.ts'

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
