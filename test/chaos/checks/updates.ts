// Every update was handled, in the order of its chat.

import type { Message } from 'grammy/types'
import type { Journal } from '../journal.ts'
import type { Chat } from '../users/chats.ts'
import { marksIn } from '../users/orders.ts'
import { wordsOf } from '../users/person.ts'
import type { Check, Evidence } from './check.ts'

export const everyCommandIsAnswered: Check = {
  name: 'every command has one card',
  async find({ database: { sql }, book, journal }: Evidence) {
    const drafts = await sql`select answers::text as answers from drafts`
    const marks = drafts.flatMap(({ answers }) => marksIn(String(answers)))
    const known = new Set(marks)
    const missing = [...book.orders.values()]
      .filter(({ mark }) => !known.has(mark))
      .map(({ mark, person }) => ({ about: mark, fact: `no card for ${person}` }))
    return [...missing, ...repeated(marks, journal)]
  },
}

/** The most updates that a process handles concurrently. */
const atOnce = 16

/** An update is handled again only if its process ended or paused, or the database failed. */
function repeated(marks: readonly string[], journal: Journal) {
  const copies = marks.filter((mark, at) => marks.indexOf(mark) < at)
  journal.count('cards twice', copies.length)
  const most = journal.sum(/^process( ended)?: |^fault: database/) * atOnce
  if (copies.length <= most) return []
  return [
    { about: copies[0] ?? 'chats', fact: `${copies.length} commands have another card, at most ${most}` },
  ]
}

export const nothingIsLeft: Check = {
  name: 'no update is left',
  async find({ database: { sql } }: Evidence) {
    const left = await sql`select id, attempts from updates where done_at is null or set_aside_at is not null`
    return left.map(({ id, attempts }) => ({ about: `update ${id}`, fact: `${attempts} attempts` }))
  },
}

/** By the first card of each command, since a second one is a repetition. Commands that were set aside and retried may come late. */
export const inOrder: Check = {
  name: 'commands take effect in their order',
  find({ chats, book, retried, ordered }: Evidence) {
    // A status message below which the result was sent no longer names the command.
    const statuses = new Map(ordered.map((one) => [`${one.chatId}:${one.statusMessageId}`, one.mark]))
    const isKept = (mark: string) => book.orders.has(mark) && !retried.has(mark)
    return [...chats.all()].flatMap(([id, chat]) =>
      firstMentions(chat, (messageId) => statuses.get(`${id}:${messageId}`))
        .filter(isKept)
        .flatMap((mark, at, marks) => {
          const before = marks[at - 1] ?? ''
          return before > mark ? [{ about: mark, fact: `came after ${before}` }] : []
        }),
    )
  },
}

/** The marks in the bot's messages, each once, in the order of the chat. */
const firstMentions = (
  { shown }: Chat,
  markOfStatus: (messageId: number) => string | undefined,
): readonly string[] => [
  ...new Set(
    [...shown.values()].flatMap(({ message }) => {
      if (!isOfBot(message)) return []
      return marksIn(wordsOf(message))[0] ?? markOfStatus(message.message_id) ?? []
    }),
  ),
]

const isOfBot = ({ from }: Message) => from?.is_bot === true
