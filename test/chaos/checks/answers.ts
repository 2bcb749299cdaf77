// Each charged answer of a text model is complete in the chat of its question, or was refunded.

import { z } from 'zod'
import { wordsOf } from '../users/person.ts'
import type { Check, Evidence } from './check.ts'

const turn = z.object({
  id: z.string(),
  chatId: z.coerce.number(),
  person: z.coerce.number(),
  answer: z.string(),
  delivery: z.string(),
  paid: z.coerce.number(),
  captured: z.coerce.number(),
})
type Turn = z.output<typeof turn>

export const everyAnswerArrives: Check = {
  name: 'each charged answer is in its chat',
  async find(evidence) {
    const found = await evidence.database.sql`
      select t.id, h.chat_id as "chatId", u.telegram_id as person, t.answer, t.delivery,
        t.captured - coalesce(t.refunded, 0) as paid, t.captured
      from turns t join threads h on h.id = t.thread_id join users u on u.id = t.user_id where t.captured > 0`
    evidence.journal.count('answers paid for', found.length)
    return found.flatMap((row) => {
      const one = turn.parse(row)
      return faultsOf(evidence, one).map((fact) => ({ about: String(one.person), fact }))
    })
  },
}

function faultsOf(evidence: Evidence, one: Turn): readonly string[] {
  const { id, delivery, paid, captured } = one
  if (delivery === 'undeliverable') return paid < captured ? [] : [`answer ${id}: not sent and not refunded`]
  if (delivery !== 'delivered') return [`answer ${id}: delivery ${delivery}`]
  const lacking = unshown(evidence, one)
  return lacking === '' ? [] : [`answer ${id}: not in the chat: ${lacking.slice(0, 100)}`]
}

/** The rest of the answer that no message of the chat contains. */
function unshown({ chats }: Evidence, { chatId, answer }: Turn): string {
  let left = lettersOf(answer)
  for (const { message } of chats.of(chatId).shown.values()) {
    const letters = message.from?.is_bot ? lettersOf(wordsOf(message)) : ''
    if (letters !== '' && left.startsWith(letters)) left = left.slice(letters.length)
  }
  return left
}

/** Letters and digits only, since formatting marks become entities of the message. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
