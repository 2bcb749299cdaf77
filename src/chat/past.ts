// The past messages of a conversation, as its next question includes them.

import { and, desc, eq, gt, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { conversations, turns } from '../db/schema.ts'
import type { Said } from './dialogue.ts'
import { separated } from './format/thinking.ts'

/** The most past turns that are read; more than fit into any context. */
const mostRemembered = 500

const past = z.array(
  z.object({ id: z.string(), question: z.string(), answer: z.string(), message: z.number().nullable() }),
)
export type Past = z.output<typeof past>

/**
 * A column of a query of conversations: their questions and answers, oldest first, without failed answers and answers that could not be
 * delivered at all.
 */
export function pastColumn(): SQL<Past> {
  const isKept = and(
    eq(turns.conversationId, conversations.id),
    ne(turns.answer, ''),
    inArray(turns.state, ['done', 'stopped']),
    or(ne(turns.delivery, 'undeliverable'), gt(turns.sent, 0)),
  )
  const read = (json: unknown) => past.parse(JSON.parse(String(json)))
  return sql`(
    select coalesce(json_agg(json_build_object('id', id, 'question', question, 'answer', answer, 'message', message)
      order by at), '[]')::text
    from (
      select ${turns.id} as id, ${turns.question} as question, ${turns.answer} as answer,
        ${turns.questionMessageId} as message, ${turns.createdAt} as at
      from ${turns} where ${isKept} order by ${desc(turns.createdAt)} limit ${mostRemembered}
    ) newest)`.mapWith(read)
}

/**
 * The past messages, without images and without thinking. Of a question that was asked repeatedly only the last answer is included.
 * @param asking the message id of the question that is being repeated, if any
 */
export function saidIn(past: Past, asking: number | null): Said[] {
  const said = new Map(past.map((turn) => [turn.message ?? turn.id, turn]))
  if (asking !== null) said.delete(asking)
  return [...said.values()].flatMap(({ question, answer: text }): Said[] => {
    const { answer } = separated({ text, thinking: '' })
    if (answer.trim() === '') return []
    return [
      { role: 'user', text: question, images: [] },
      { role: 'assistant', text: answer, images: [] },
    ]
  })
}
