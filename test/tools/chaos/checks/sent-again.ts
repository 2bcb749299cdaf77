// Checks that a result requested in /history is sent again as the file that Telegram already has. After a refusal the file is uploaded anew
// and has another id, and a failed sending brings no file: the number of orders with such files must not exceed the number of disturbances,
// nor half of the requests.

import type { Message } from 'grammy/types'
import { buttonOf } from '../users/person.ts'
import type { Check, Evidence } from './check.ts'
import type { Ordered } from './tasks.ts'

export const everythingComesAgain: Check = {
  name: 'results that are asked for in the history come again',
  find(evidence) {
    const asked = evidence.sentAgain.filter(({ person, tap }) => isPromised(evidence, person, tap))
    evidence.journal.count('results sent again', asked.length)
    const orders = new Map(evidence.ordered.map((one) => [one.id, one]))
    // One entry for each order; an order may lack several files.
    const lacking = [...Map.groupBy(asked, ({ generation }) => generation)].flatMap(([id, same]) => {
      const order = orders.get(id)
      const [first] = same
      if (!order || !first) return []
      const facts = missing(evidence, order, first.person, same.length)
      return facts.length > 0 ? [facts.map((fact) => ({ about: order.mark, fact }))] : []
    })
    evidence.journal.count('results that did not come again', lacking.length)
    const most = Math.min(evidence.journal.sum(disturbances), Math.max(few, asked.length / 2))
    return lacking.length > most ? lacking.flat() : []
  },
}

/** Up to this number of orders all may lack files because of disturbances. */
const few = 4

const disturbances =
  /^fault: (telegram send(Photo|Video|Voice|Audio|Document|MediaGroup)|telegram answerCallbackQuery|gateway cdn|database) |^process( ended)?: /

const isPromised = ({ chats }: Evidence, person: number, tap: string): boolean =>
  chats.of(person).answers.get(tap) === 'Sending it again, free of charge'

function missing(
  { chats }: Evidence,
  { id, chatId, messageIds }: Ordered,
  person: number,
  times: number,
): readonly string[] {
  const first = chats.of(chatId).ofBot()
  const files = first.filter(({ message_id }) => messageIds.includes(message_id)).flatMap(fileOf)
  // A message of the opened /history entry shows the file too and is not counted.
  const now = chats
    .of(person)
    .ofBot()
    .filter((message) => buttonOf(message, 'hs:') === undefined)
    .flatMap(fileOf)
  const due = chatId === person ? times + 1 : times
  return files.flatMap((file) => {
    const came = now.filter((one) => one === file).length
    return came < due ? [`generation ${id}: a file is ${came} times in the chat instead of ${due}`] : []
  })
}

const fileOf = ({ photo, voice, audio, video, document }: Message): readonly string[] => {
  const file = photo?.at(-1) ?? voice ?? audio ?? video ?? document
  return file ? [file.file_unique_id] : []
}
