// Checks that every update was handled, in the order of its chat.

import type { Message } from 'grammy/types'
import type { Journal } from '../journal.ts'
import { type Chat, wordsOf } from '../users/chats.ts'
import { marksIn } from '../users/ordering.ts'
import { type Check, type Evidence, leasesMayExpire } from './check.ts'

export const everyCommandIsAnswered: Check = {
  name: 'every command has one card',
  async find({ database: { sql }, book, chats, journal, desk }: Evidence) {
    const drafts = await sql`
      select concat(answers, unfit_prompt) as answers, update_id::text as "updateId" from drafts`
    const byCommands = drafts.filter(({ updateId }) => !book.byUpdate.has(Number(updateId)))
    const marks = byCommands.flatMap(({ answers }) => marksIn(String(answers)))
    // A prompt that a model does not accept is replaced by the next words of its person; the card that showed it stays among the messages.
    const isShown = (mark: string, person: number) =>
      [...chats.of(person).shown.values()].some(
        ({ first }) => isOfBot(first) && wordsOf(first).includes(`${mark} Question`),
      )
    const known = new Set(marks)
    const missing = [...book.orders.values()]
      .filter(({ again }) => again === undefined)
      // The bot does not answer a banned person.
      .filter(({ mark, person }) => !known.has(mark) && !isShown(mark, person) && !desk.banned.has(person))
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
  const most = journal.sum(leasesMayExpire) * atOnce
  if (copies.length <= most) return []
  return [
    { about: copies[0] ?? 'chats', fact: `${copies.length} commands have another card, at most ${most}` },
  ]
}

/** Commands that the bot answers once each time, with the pattern of the answer. */
const answers: readonly { readonly command: RegExp; readonly answer: RegExp }[] = [
  { command: /^\/balance$/, answer: /^Balance: ₽/ },
  { command: /^\/promo /, answer: /^🎁 ₽|^You have already used this promo code/u },
]

export const nothingIsAnsweredTwice: Check = {
  name: 'no more answers than commands, repeated handling and lost responses explain',
  find({ chats, people, journal }: Evidence) {
    const excess = [...people].flatMap((person) =>
      answers.map(({ command, answer }) => {
        const words = [...chats.of(person).shown.values()].map(({ first }) => ({
          isBot: isOfBot(first),
          text: wordsOf(first),
        }))
        const asked = words.filter(({ isBot, text }) => !isBot && command.test(text)).length
        const said = words.filter(({ isBot, text }) => isBot && answer.test(text)).length
        return { person, command: command.source, more: said - asked }
      }),
    )
    const copies = excess.filter(({ more }) => more > 0)
    const sum = copies.reduce((all, { more }) => all + more, 0)
    journal.count('answers twice', sum)
    const most =
      journal.sum(/^fault: telegram (sendMessage|answer.*) (answer lost|hang|garbage|5)/) +
      journal.sum(leasesMayExpire) * atOnce
    if (sum <= most) return []
    return copies.map(({ person, command, more }) => ({
      about: String(person),
      fact: `${more} answers more than commands ${command}; at most ${most} in all`,
    }))
  },
}

export const nothingIsLeft: Check = {
  name: 'no update is left',
  async find({ database: { sql } }: Evidence) {
    const left = await sql`select id, attempts from updates where done_at is null or set_aside_at is not null`
    return left.map(({ id, attempts }) => ({ about: `update ${id}`, fact: `${attempts} attempts` }))
  },
}

/** Telegram numbers updates without gaps and does not repeat a confirmed one, so a gap means that a confirmed update was not stored. */
export const noneIsMissing: Check = {
  name: 'no update was confirmed without being stored',
  async find({ database: { sql } }: Evidence) {
    const gaps = await sql`
      select id, next from (select id, lead(id) over (order by id) as next from updates) numbered
      where next > id + 1`
    return gaps.map(({ id, next }) => ({ about: `update ${id}`, fact: `is followed by ${next}` }))
  },
}

/**
 * Compares the order of the first cards; a second card of a command is a repetition. Commands whose updates were set aside and retried may
 * come late.
 */
export const inOrder: Check = {
  name: 'commands take effect in their order',
  find({ chats, book, retried }: Evidence) {
    // Only private chats are compared: the commands of different members of a group are not ordered among each other.
    const isPrivate = (mark: string) => book.orders.get(mark)?.place === book.orders.get(mark)?.person
    const isKept = (mark: string) => book.orders.has(mark) && isPrivate(mark) && !retried.has(mark)
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

/** The marks in the first versions of the bot's messages, without repetitions, in the order of the chat. */
const firstMentions = ({ shown }: Chat): readonly string[] => [
  ...new Set(
    [...shown.values()].flatMap(({ first }) => (isOfBot(first) ? marksIn(wordsOf(first)).slice(0, 1) : [])),
  ),
]

const isOfBot = ({ from }: Message) => from?.is_bot === true
