// Checks that paid results are in the chat of their order, and that failures are explained there. The Bot API has no idempotency keys, so
// a message is sent again if the response was lost or the process died; the number of such faults limits the number of allowed copies.

import type { Message } from 'grammy/types'
import { lostSend } from '../faults/outside.ts'
import { disturbedBy, isAboutAnother, namedBy } from '../model/balances.ts'
import { buttonsOf, isFile, wordsOf } from '../users/chats.ts'
import { type Check, type Evidence, leasesMayExpire } from './check.ts'
import type { Ordered } from './tasks.ts'

export const everythingArrives: Check = {
  name: 'paid results, and results that came after a refund, are delivered',
  find: (evidence) =>
    evidence.ordered
      .filter(({ state, isLate }) => state === 'succeeded' || isLate)
      .filter((one) => !isGivenUp(evidence, one))
      .flatMap((one) => missing(evidence, one).map((fact) => ({ about: one.mark, fact }))),
}

/**
 * Whether the app gave the delivery up after all of its attempts and told the chat. This happens in runs with few people, where almost
 * every call meets a fault.
 */
const isGivenUp = (evidence: Evidence, one: Ordered): boolean =>
  one.delivery === 'undeliverable' &&
  one.attempts >= mostAttempts &&
  said(evidence, one).some(
    (message) =>
      wordsOf(message).includes(wordsFor(evidence, one)) &&
      /could not be delivered to this chat|did not respond, even after many tries/.test(wordsOf(message)),
  )

const mostAttempts = 12

export const givenUpHasCauses: Check = {
  name: 'a delivery is given up after many failures of Telegram and of the server with the files, and ended processes',
  find(evidence) {
    const givenUp = evidence.ordered.filter((one) => isGivenUp(evidence, one))
    evidence.journal.count('deliveries given up', givenUp.length)
    const refusals = evidence.journal.sum(
      /^fault: (telegram (send(Photo|Video|Voice|Audio|Document|MediaGroup)|editMessageMedia)|gateway cdn) /,
    )
    const failures = refusals + evidence.journal.sum(leasesMayExpire) * atOnce
    const [first] = givenUp
    const fact = `${givenUp.length} are given up, with ${failures} failures`
    return first && givenUp.length * mostAttempts > failures ? [{ about: first.mark, fact }] : []
  },
}

function missing(evidence: Evidence, one: Ordered): string[] {
  const { id, messageIds, delivery, chatId } = one
  const isThere = (messageId: number) =>
    said(evidence, one).some(({ message_id }) => message_id === messageId)
  // The gateway does not serve the first file of such an order.
  const isGone = evidence.book.orders.get(one.mark)?.isGone === true
  const lost = messageIds
    .slice(isGone ? 1 : 0)
    .filter((messageId) => messageId === null || !isThere(messageId))
  const own = messageIds.filter((messageId) => messageId !== null)
  const right = isGone && messageIds.length === 1 ? 'undeliverable' : 'delivered'
  return [
    ...(messageIds.length === 0 ? [`generation ${id} succeeded with nothing`] : []),
    ...(new Set(own).size < own.length ? [`generation ${id}: two files in one message`] : []),
    ...(delivery === right ? [] : [`generation ${id}: delivery ${delivery}`]),
    ...lost.map((messageId) => `generation ${id}: message ${messageId} is not in chat ${chatId}`),
    // A link instead of a file is a fault: in a run Telegram never refuses a document.
    ...said(evidence, one)
      .filter(
        (message) =>
          messageIds.includes(message.message_id) &&
          /could not be sent through Telegram/.test(wordsOf(message)),
      )
      .map(({ message_id }) => `generation ${id}: message ${message_id} is a link instead of a file`),
  ]
}

export const everyFailureIsExplained: Check = {
  name: 'failures are explained',
  find: (evidence) =>
    evidence.ordered
      .filter((one) => isFailure(one) && explanationsOf(evidence, one).length === 0)
      .map((one) => ({
        about: one.mark,
        fact: `generation ${one.id} (${one.reason}): delivery ${one.delivery}, the status says ${statusOf(evidence, one)}`,
      })),
}

const isFailure = ({ state }: Ordered) => state === 'failed' || state === 'canceled'

const statusOf = (evidence: Evidence, one: Ordered): string =>
  JSON.stringify(
    said(evidence, one)
      .filter(({ message_id, reply_to_message: to }) =>
        [message_id, to?.message_id].includes(one.statusMessageId ?? 0),
      )
      .map(wordsOf),
  )

/**
 * The messages that explain the failure of an order. One may be the edited status message; a status itself is not counted, since it does
 * not repeat the prompt with its mark.
 */
const explanationsOf = (evidence: Evidence, one: Ordered) =>
  said(evidence, one).filter(
    (message) =>
      wordsOf(message).includes(wordsFor(evidence, one)) &&
      /^[❌✖]|\n✖/.test(wordsOf(message)) &&
      !isAboutAnother(buttonsOf(message), one.id),
  )

const wordsFor = ({ book }: Evidence, { mark }: Ordered): string => book.orders.get(mark)?.words ?? mark

/** The most files in one message. */
const together = 3
/** The most concurrent deliveries of a process. */
const atOnce = 16

export const copiesHaveCauses: Check = {
  name: 'no more copies than lost responses and ended processes explain',
  find(evidence) {
    const copies = evidence.ordered.reduce((sum, one) => sum + copiesOf(evidence, one), 0)
    evidence.journal.count('copies', copies)
    const most =
      evidence.journal.sum(/^fault: telegram send.* answer lost$/) * together +
      evidence.journal.sum(leasesMayExpire) * atOnce
    const first = evidence.ordered.find((one) => copiesOf(evidence, one) > 0)
    return copies > most ? [{ about: first?.mark ?? 'chats', fact: `${copies} copies, at most ${most}` }] : []
  },
}

function copiesOf(evidence: Evidence, one: Ordered): number {
  if (isFailure(one)) return Math.max(0, explanationsOf(evidence, one).length - 1)
  return Math.max(0, filesOf(evidence, one).length - one.messageIds.length)
}

/** The messages with the files of an order, without the picture of a 3D model. */
function filesOf(evidence: Evidence, one: Ordered): readonly Message[] {
  const hasPreview = one.request.includes('MODEL-3D')
  return said(evidence, one).filter(
    (message) =>
      isFile(message) &&
      !(hasPreview && message.photo) &&
      (message.message_id === one.statusMessageId ||
        message.reply_to_message?.message_id === one.statusMessageId),
  )
}

/** A fault is noted when the request is received, before its message is shown. */
const beforeMs = 3000

/** The same as above for each order: something happened while its results were sent. */
export const everyCopyHasItsCause: Check = {
  name: 'the results of an order come twice only if an answer was lost or a process disturbed at that time',
  find(evidence) {
    const happened = evidence.journal.times()
    const wasDisturbed = disturbedBy(happened)
    const wasLost = (from: number, to: number) =>
      happened.some(({ at, what }) => lostSend.test(what) && at >= from && at <= to)
    return evidence.ordered
      .filter((one) => !isFailure(one) && copiesOf(evidence, one) > 0)
      .flatMap((one) => {
        const times = filedTimes(evidence, one)
        const [from, to] = [Math.min(...times) - beforeMs, Math.max(...times)]
        if (wasDisturbed(from, to) || wasLost(from, to)) return []
        return [{ about: one.mark, fact: `generation ${one.id}: ${times.length} files without a cause` }]
      })
  },
}

function filedTimes(evidence: Evidence, one: Ordered): readonly number[] {
  const { shown } = evidence.chats.of(one.chatId)
  return filesOf(evidence, one).flatMap(({ message_id }) => shown.get(message_id)?.filedAt ?? [])
}

/** All messages of the bot in the chat of the order, including deleted ones. */
const said = ({ chats }: Evidence, { chatId }: Ordered): readonly Message[] => chats.of(chatId).ofBot()

// Checks how long the app waited for the gateway before it refunded an order, by the app's clock.

const minute = 60_000
/** The largest difference between the clocks of two processes. */
const skewMs = 5000

/** The least wait before the refund, from the submit, or from the order itself if it was never submitted. */
function patienceMs({ reason, taskId }: Ordered): number {
  if (reason === 'late') return 30 * minute
  if (reason === 'unavailable') return 10 * minute
  if (reason !== 'lost') return 0
  // Without a task id the order waits for a callback that names its task. A task that the gateway does not know is polled five times.
  return taskId === null ? 10 * minute : 2 * minute
}

export const nothingIsGivenUpEarly: Check = {
  name: 'no order is given up before its time',
  find: ({ ordered }) =>
    ordered.flatMap((one) => {
      const { id, mark, reason, createdAt, submittedAt, settledAt } = one
      const waitedMs = (settledAt ?? createdAt).getTime() - (submittedAt ?? createdAt).getTime()
      if (waitedMs + skewMs >= patienceMs(one)) return []
      return [{ about: mark, fact: `generation ${id} was ${reason} after ${Math.round(waitedMs / 1000)} s` }]
    }),
}

// Checks that the words of a paid result, and the buttons to go on with it, are in the chat of its order.

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

// Checks that decisions of operators are announced: corrections and refunds to the person concerned, broadcasts to everybody.

const isTold = ({ chats }: Evidence, person: number, words: RegExp): boolean =>
  chats
    .of(person)
    .told()
    .some((said) => words.test(said.words))

export const everyDecisionIsTold: Check = {
  name: 'each correction and refund by an operator is told to its person',
  find(evidence) {
    const { desk, ordered } = evidence
    const orders = new Map(ordered.map((one) => [one.id, one]))
    const done = new Set(evidence.operatorReasons)
    const corrections = desk.corrections
      .filter(({ reason }) => done.has(reason))
      .map(({ person, reason }) => ({ person, reason }))
    const refunds = desk.refunds
      .filter(({ reason }) => done.has(reason))
      .flatMap(({ generation, reason }) => {
        const person = orders.get(generation)?.chatId
        return person === undefined ? [] : [{ person, reason }]
      })
    return [...corrections, ...refunds]
      .filter(({ person, reason }) => !isTold(evidence, person, new RegExp(`^[➕➖↩️].*${reason}`, 'su')))
      .map(({ person, reason }) => ({ about: String(person), fact: `${reason} was not told` }))
  },
}

export const everyBroadcastArrives: Check = {
  name: 'each broadcast is in the chat of everybody who was there',
  find: (evidence) =>
    evidence.desk.broadcasts.flatMap(({ words, to }) =>
      to
        .filter((person) => !evidence.desk.banned.has(person))
        .filter((person) => !isTold(evidence, person, new RegExp(`^${words}$`)))
        .map((person) => ({ about: String(person), fact: `lacks ${words}` })),
    ),
}

export const noBroadcastComesTwice: Check = {
  name: 'a broadcast comes twice only after lost answers and ended processes',
  find({ chats, desk, people, journal }) {
    const copies = desk.broadcasts.flatMap(({ words }) =>
      [...people].map((person) => {
        const same = chats
          .of(person)
          .told()
          .filter((said) => said.words === words)
        return { about: String(person), fact: `${words}: ${same.length} times`, more: same.length - 1 }
      }),
    )
    const repeated = copies.filter(({ more }) => more > 0)
    const times = repeated.reduce((sum, { more }) => sum + more, 0)
    journal.count('copies of broadcasts', times)
    const most = journal.sum(/^fault: telegram copyMessage answer lost$/) + journal.sum(leasesMayExpire)
    return times > most ? repeated.map(({ about, fact }) => ({ about, fact })) : []
  },
}
