// Checks that each order is made once by the gateway, and that updates are handled once and in their order.

import { type Chat, isOfBot, wordsOf } from '../users/chats.ts'
import { marksIn } from '../users/ordering.ts'
import type { Checks } from './evidence.ts'

/** Several things with one mark. */
const repeated = (all: readonly { readonly mark: string; readonly id: string }[], what: string) =>
  [...Map.groupBy(all, ({ mark }) => mark)]
    .filter(([, same]) => same.length > 1)
    .map(([mark, same]) => ({ about: mark, fact: `${what}: ${same.map(({ id }) => id).join(', ')}` }))

/** By the app's clock. A shorter distance between two orders by one "Again" means two taps on one button. */
const momentMs = 5000
export const taskChecks: Checks = {
  'nothing is ordered twice': ({ ordered }) => repeated(ordered, 'generations'),
  'one task for each order': ({ tasks }) => repeated(tasks, 'tasks'),
  'each order has the task that was made for it': ({ ordered, tasks }) => {
    const marks = new Map(tasks.map(({ id, mark }) => [id, mark]))
    return ordered
      .filter(({ taskId, mark }) => taskId !== null && marks.get(taskId) !== mark)
      .map(({ id, mark, taskId }) => ({
        about: mark,
        fact: `generation ${id} has task ${taskId}, which is of ${marks.get(taskId ?? '') ?? 'no order'}`,
      }))
  },
  'two taps on Again within a moment order once': ({ ordered, town: { book }, journal }) => {
    const orders = ordered.map((one) => ({ ...one, button: book.orders.get(one.mark)?.again?.generation }))
    const byButton = Map.groupBy(orders, ({ button }) => button)
    byButton.delete(undefined)
    journal.count('orders by Again', [...byButton.values()].flat().length)
    // They are in the order of their creation.
    return [...byButton.values()].flatMap((same) =>
      same.flatMap(({ id, mark, createdAt }, at) => {
        const before = same[at - 1]
        const ms = createdAt.getTime() - (before?.createdAt.getTime() ?? 0)
        return before && ms < momentMs ? [{ about: mark, fact: `generations ${before.id} and ${id}` }] : []
      }),
    )
  },
  'an order is cancelled if its person did it and was told so, and is not made then': ({
    town: { withdrawals },
    ordered,
    chats,
    tasks,
    journal,
  }) => {
    const tapped = new Set(withdrawals.map(({ generation }) => generation))
    const confirmed = withdrawals.filter(
      ({ place, tap }) => chats.of(place).answers.get(tap) === 'Order cancelled',
    )
    const told = new Set(confirmed.map(({ generation }) => generation))
    const made = new Set(tasks.map(({ mark }) => mark))
    journal.count('orders that people tried to cancel', tapped.size)
    return ordered.flatMap(({ id, mark, reason }) => {
      const isCancelled = reason === 'withdrawn'
      const faults = [
        ...(told.has(id) && !isCancelled ? ['its person was told that it is cancelled'] : []),
        ...(isCancelled && !tapped.has(id) ? ['nobody cancelled it'] : []),
        ...(isCancelled && made.has(mark) ? ['it was made although it was cancelled'] : []),
      ]
      return faults.map((fact) => ({ about: mark, fact: `generation ${id}: ${fact}` }))
    })
  },
}

/** The marks in the first versions of the bot's messages, without repetitions, in the order of the chat. */
const firstMentions = ({ shown }: Chat): readonly string[] => [
  ...new Set(
    [...shown.values()].flatMap(({ first }) => (isOfBot(first) ? marksIn(wordsOf(first)).slice(0, 1) : [])),
  ),
]

export const updateChecks: Checks = {
  'every command has a card': async ({ database: { sql }, town }) => {
    const drafts = await sql`select concat(answers, unfit_prompt) as answers from drafts`
    const known = new Set(drafts.flatMap(({ answers: words }) => marksIn(String(words))))
    return [...town.book.orders.values()]
      .filter(({ again, mark }) => again === undefined && !known.has(mark))
      .map(({ mark, person }) => ({ about: mark, fact: `no card for ${person}` }))
  },
  /** Telegram numbers updates without gaps and does not repeat a confirmed one, so a gap means that a confirmed update was not stored. */
  'no update was confirmed without being stored': async ({ database: { sql } }) => {
    const gaps = await sql`
      select id, next from (select id, lead(id) over (order by id) as next from updates) numbered
      where next > id + 1`
    return gaps.map(({ id, next }) => ({ about: `update ${id}`, fact: `is followed by ${next}` }))
  },
  /** Commands whose updates were set aside and retried may come late; those of different members of a group are not ordered. */
  'commands take effect in their order': ({ chats, town: { book }, retried }) => {
    const isKept = (mark: string) => {
      const order = book.orders.get(mark)
      return order?.place === order?.person && order !== undefined && !retried.has(mark)
    }
    return [...chats.all()].flatMap(([, chat]) =>
      firstMentions(chat)
        .filter(isKept)
        .flatMap((mark, at, marks) => {
          const before = marks[at - 1] ?? ''
          return before > mark ? [{ about: mark, fact: `came after ${before}` }] : []
        }),
    )
  },
}
