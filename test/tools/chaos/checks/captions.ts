// Checks that the words of a paid result, and the buttons to go on with it, are in the chat of its order.

import type { Message } from 'grammy/types'
import { namedBy } from '../model/about.ts'
import { buttonsOf, wordsOf } from '../users/chats.ts'
import type { Check, Evidence } from './check.ts'
import type { Ordered } from './ordered.ts'

export const everyResultIsExplained: Check = {
  name: 'each result has its words and its buttons',
  find: (evidence) =>
    evidence.ordered
      .filter(({ state, delivery }) => state === 'succeeded' && delivery === 'delivered')
      .filter((one) => !evidence.chats.of(one.chatId).ofBot().some(explains(evidence, one)))
      .map(({ id, mark }) => ({
        about: mark,
        fact: `generation ${id}: no message with its words and buttons`,
      })),
}

const explains =
  ({ book }: Evidence, { id, mark }: Ordered) =>
  (message: Message): boolean =>
    wordsOf(message).includes(book.orders.get(mark)?.words ?? mark) &&
    namedBy(belowResult(message)).includes(id)

const belowResult = (message: Message) => buttonsOf(message).filter(({ data }) => /^r[a-z]?:/.test(data))
