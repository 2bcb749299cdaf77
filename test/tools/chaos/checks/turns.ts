// The answers in the database, each with the number of its question.

import { z } from 'zod'
import type { Booked } from '../model/answers.ts'
import { questionIn } from '../users/questions.ts'
import type { Evidence } from './check.ts'

const row = z.object({
  id: z.string(),
  question: z.string(),
  captured: z.coerce.number(),
  refunded: z.coerce.number(),
  delivery: z.string(),
  asked: z.int().nullable(),
})

export async function readTurns({ database: { sql } }: Pick<Evidence, 'database'>): Promise<Booked[]> {
  const found = await sql`
    select id, question, coalesce(captured, 0)::text as captured, coalesce(refunded, 0)::text as refunded, delivery,
      question_message_id as asked
    from turns order by created_at`
  return found.map((one) => {
    const { question, ...turn } = row.parse(one)
    return { ...turn, number: questionIn(question) ?? 0 }
  })
}
