// Every update took effect, in the order of its chat. A command that found no card was at least answered by an apology.

import type { Message } from 'grammy/types'
import { marksIn } from '../users/orders.ts'
import { wordsOf } from '../users/person.ts'
import type { Check, Evidence } from './check.ts'

export const everyCommandIsAnswered: Check = {
  name: 'every command has its card',
  async find({ database: { sql }, book, journal }: Evidence) {
    const drafts = await sql`select answers::text as answers from drafts`
    const marks = drafts.flatMap(({ answers }) => marksIn(String(answers)))
    const times = Map.groupBy(marks, (mark) => mark)
    for (const [, same] of times) if (same.length > 1) journal.count('cards twice', same.length - 1)
    return [...book.orders.values()]
      .filter(({ mark }) => !times.has(mark))
      .map(({ mark, person }) => ({ about: mark, fact: `no card for ${person}` }))
  },
}

export const nothingIsLeft: Check = {
  name: 'no update is left',
  async find({ database: { sql } }: Evidence) {
    const left = await sql`select id, attempts from updates where done_at is null`
    return left.map(({ id, attempts }) => ({ about: `update ${id}`, fact: `${attempts} attempts` }))
  },
}

/** The first card of each command: a second one is a repetition. */
export const inOrder: Check = {
  name: 'what is said first takes effect first',
  find({ chats, book }: Evidence) {
    const latest = new Map<number, string>()
    const found: { about: string; fact: string }[] = []
    const seen = new Set<string>()
    for (const [person, chat] of chats.all()) {
      for (const { message } of chat.shown.values()) {
        const mark = isOfBot(message) ? marksIn(wordsOf(message))[0] : undefined
        if (mark === undefined || seen.has(mark) || !book.orders.has(mark)) continue
        seen.add(mark)
        const before = latest.get(person)
        if (before !== undefined && before > mark) found.push({ about: mark, fact: `came after ${before}` })
        latest.set(person, mark)
      }
    }
    return found
  },
}

const isOfBot = ({ from }: Message) => from?.is_bot === true
