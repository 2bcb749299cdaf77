// Checks that originals of pictures come as documents, or that the chat says how many are unavailable. A document whose sending failed does
// not come: the number of missing documents must not exceed the number of disturbances, nor half of all requested documents.

import type { Document, Message } from 'grammy/types'
import type { OriginalsAsked } from '../users/history.ts'
import type { Check, Evidence } from './check.ts'
import type { Ordered } from './tasks.ts'

export const everyOriginalComes: Check = {
  name: 'originals that are asked for come as documents, or the chat says why not',
  find(evidence) {
    const asked = evidence.originalsAsked.filter((one) => isPromised(evidence, one))
    evidence.journal.count('originals asked for', asked.length)
    const orders = new Map(evidence.ordered.map((one) => [one.id, one]))
    const lacking = [...Map.groupBy(asked, ({ generation }) => generation)].flatMap(([id, same]) => {
      const order = orders.get(id)
      const due = filesOf(order) * same.length
      const came = order ? documentsOf(evidence, order, placesOf(same)) : 0
      return order && came < due ? [{ order, lacks: due - came, due }] : []
    })
    const sum = lacking.reduce((all, { lacks }) => all + lacks, 0)
    evidence.journal.count('originals that did not come', sum)
    const expected = asked.reduce((all, { generation }) => all + filesOf(orders.get(generation)), 0)
    const disturbed = Math.min(evidence.journal.sum(disturbances) * together, Math.max(few, expected / 2))
    if (sum <= disturbed + refusedIn(evidence, asked)) return []
    return lacking.map(({ order, lacks, due }) => ({
      about: order.mark,
      fact: `generation ${order.id}: ${lacks} of ${due} documents are not in the chat`,
    }))
  },
}

/** The most pictures of an order. */
const together = 3
/** Up to this number of documents all may be missing because of disturbances. */
const few = 4 * together
const disturbances =
  /^fault: (telegram (sendDocument|answerCallbackQuery)|gateway cdn|database) |^process( ended)?: /

const isPromised = ({ chats }: Evidence, { place, tap }: OriginalsAsked): boolean =>
  chats.of(place).answers.get(tap) === 'The originals are on their way'

const filesOf = (order: Ordered | undefined): number => order?.messageIds.length ?? 0

const placesOf = (asked: readonly OriginalsAsked[]): ReadonlySet<number> =>
  new Set(asked.map(({ place }) => place))

/**
 * The number of originals sent into these chats. Results that came as documents do not count: they have a caption or are messages of the order. Such a
 * document is sent again as the original, with its name, which Telegram took from the address if it fetched the file itself.
 */
function documentsOf(
  { chats }: Evidence,
  { id, chatId, messageIds }: Ordered,
  places: ReadonlySet<number>,
): number {
  const documentsIn = (place: number) => chats.of(place).ofBot().filter(hasDocument)
  const isResult = ({ chat, message_id }: Message) => chat.id === chatId && messageIds.includes(message_id)
  const results = new Set(
    documentsIn(chatId)
      .filter(isResult)
      .map(({ document }) => document.file_unique_id),
  )
  const isOurs = ({ file_name = '', file_unique_id }: Document) =>
    file_name.startsWith(`${id}-`) || results.has(file_unique_id)
  const isOriginal = (message: Message & { readonly document: Document }) =>
    isOurs(message.document) && message.caption === undefined && !isResult(message)
  return [...places].flatMap(documentsIn).filter(isOriginal).length
}

const hasDocument = (message: Message): message is Message & { readonly document: Document } =>
  message.document !== undefined

const refusal = /^(One|\d+) originals? (?:is|are|could) no/

/** The number of files that the chats report as unavailable. */
function refusedIn({ chats }: Evidence, asked: readonly OriginalsAsked[]): number {
  return [...placesOf(asked)]
    .flatMap((place) => chats.of(place).ofBot().map(countRefused))
    .reduce((a, b) => a + b, 0)
}

function countRefused({ text = '' }: Message): number {
  const [, count] = refusal.exec(text) ?? []
  return count === undefined ? 0 : count === 'One' ? 1 : Number(count)
}
