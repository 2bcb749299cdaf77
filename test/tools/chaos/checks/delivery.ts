// Checks that paid results are in the chat of their order, and that failures are explained there. The Bot API has no idempotency keys, so
// a message is sent again if the response was lost or the process died; the number of such faults limits the number of allowed copies.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secrets } from '../../../../src/sandbox/outside.ts'
import { lostSend } from '../faults.ts'
import { disturbedBy } from '../journal.ts'
import { password } from '../machine/database.ts'
import { fileOf, isAboutAnother, type Message, type Said, wordsOf } from '../users/chats.ts'
import type { Checks, Evidence, Ordered } from './evidence.ts'

/** All messages of the bot in the chat of the order, including deleted ones. */
const said = ({ chats }: Evidence, { chatId }: Ordered): readonly Said[] => chats.of(chatId).said()

/** The messages in its chat that show the words of the order. */
function about(evidence: Evidence, one: Ordered): readonly Said[] {
  const shown = evidence.town.book.orders.get(one.mark)?.words ?? one.mark
  return said(evidence, one).filter(({ words }) => words.includes(shown))
}

const mostAttempts = 12

/**
 * Whether the app gave the delivery up after all of its attempts and told the chat. This happens in runs with few people, where almost
 * every call meets a fault.
 */
const isGivenUp = (evidence: Evidence, one: Ordered): boolean =>
  one.delivery === 'undeliverable' &&
  one.attempts >= mostAttempts &&
  about(evidence, one).some(({ words }) =>
    /couldn’t deliver the result to this chat|did not respond, even after many tries/.test(words),
  )

function missing(evidence: Evidence, one: Ordered): string[] {
  const { id, messageIds, delivery } = one
  const there = new Map(said(evidence, one).map(({ message, words }) => [message.message_id, words]))
  // The gateway does not serve the first file of such an order.
  const isGone = evidence.town.book.orders.get(one.mark)?.isGone === true
  const lost = messageIds.slice(isGone ? 1 : 0).filter((own) => own === null || !there.has(own))
  const own = messageIds.filter((messageId) => messageId !== null)
  const right = isGone && messageIds.length === 1 ? 'undeliverable' : 'delivered'
  return [
    ...(messageIds.length === 0 ? [`generation ${id} succeeded with nothing`] : []),
    ...(new Set(own).size < own.length ? [`generation ${id}: two files in one message`] : []),
    ...(delivery === right ? [] : [`generation ${id}: delivery ${delivery}`]),
    ...lost.map((messageId) => `generation ${id}: message ${messageId} is not in its chat`),
    // A link instead of a file is a fault: in a run Telegram never refuses a document.
    ...own
      .filter((messageId) => /couldn’t send the file through Telegram/.test(there.get(messageId) ?? ''))
      .map((messageId) => `generation ${id}: message ${messageId} is a link instead of a file`),
  ]
}

const isFailure = ({ state }: Ordered) => state === 'failed' || state === 'canceled'

/** A message explains the failure of an order; a status does not, since it does not repeat the prompt with its mark. */
const isExplained = (evidence: Evidence, one: Ordered): boolean =>
  about(evidence, one).some((told) => /^[❌✖]|\n✖/.test(told.words) && !isAboutAnother(told, one.id))

/**
 * The messages with the files of an order: those that are recorded, and copies, as far as they have its words; without the picture of a 3D
 * model.
 */
const filesOf = (evidence: Evidence, one: Ordered): readonly Message[] => {
  const named = about(evidence, one).filter((told) => !isAboutAnother(told, one.id))
  return said(evidence, one)
    .filter((told) => one.messageIds.includes(told.message.message_id) || named.includes(told))
    .map(({ message }) => message)
    .filter((message) => fileOf(message) && !(one.request.includes('MODEL-3D') && message.photo))
}

/** A fault is noted when the request is received, before its message is shown. */
const beforeMs = 3000

function copiesWithoutCause(evidence: Evidence) {
  const { journal, ordered, chats } = evidence
  const happened = journal.times()
  const wasDisturbed = disturbedBy(happened)
  const wasLost = (from: number, to: number) =>
    happened.some(({ at, what }) => lostSend.test(what) && at >= from && at <= to)
  return ordered.flatMap((one) => {
    const files = filesOf(evidence, one)
    const due = one.messageIds.length
    if (isFailure(one) || files.length <= due) return []
    journal.count('copies', files.length - due)
    const times = files.flatMap(({ message_id }) => chats.of(one.chatId).shown.get(message_id)?.filedAt ?? [])
    const [from, to] = [Math.min(...times) - beforeMs, Math.max(...times)]
    if (wasDisturbed(from, to) || wasLost(from, to)) return []
    return [{ about: one.mark, fact: `generation ${one.id}: ${times.length} files without a cause` }]
  })
}

async function exposedSecrets({ fleet, chats, database: { sql, tables } }: Evidence) {
  const hidden = [...Object.values(secrets).flat(), password]
  const isExposed = (text: string) => hidden.some((secret) => text.includes(secret))
  const found: { about: string; fact: string }[] = []
  for (const name of await readdir(fleet.logs)) {
    const lines = (await readFile(join(fleet.logs, name), 'utf8')).split('\n')
    const line = lines.find(isExposed)
    if (line !== undefined) found.push({ about: `log ${name}`, fact: line.slice(0, 2000) })
  }
  for (const [person, { shown }] of chats.all())
    for (const { message } of shown.values())
      if (isExposed(wordsOf(message)))
        found.push({ about: String(person), fact: `message ${message.message_id}` })
  const patterns = hidden.map((secret) => `%${secret}%`)
  for (const name of await tables()) {
    const [one] =
      await sql`select t::text as row from ${sql(name)} t where t::text like any (${patterns}) limit 1`
    if (one) found.push({ about: `table ${name}`, fact: String(one.row).slice(0, 300) })
  }
  return found
}

export const deliveryChecks: Checks = {
  'paid results, and results that came after a refund, are delivered': (evidence) =>
    evidence.ordered
      .filter((one) => (one.state === 'succeeded' || one.arrivedLateAt !== null) && !isGivenUp(evidence, one))
      .flatMap((one) => missing(evidence, one).map((fact) => ({ about: one.mark, fact }))),
  'failures are explained': (evidence) =>
    evidence.ordered
      .filter((one) => isFailure(one) && !isExplained(evidence, one))
      .map(({ id, mark, reason, delivery }) => ({
        about: mark,
        fact: `generation ${id} (${reason}): delivery ${delivery}`,
      })),
  'the results of an order come twice only if an answer was lost or a process disturbed at that time':
    copiesWithoutCause,
  'no secret is exposed': exposedSecrets,
}
