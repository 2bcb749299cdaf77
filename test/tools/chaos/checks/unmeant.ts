// Checks that each answer of a text model belongs to a question of a simulated person. A number that a person typed as a value or an amount
// must not become a question to the text model.

import { z } from 'zod'
import { questionIn } from '../users/questions.ts'
import type { Check } from './check.ts'

const row = z.object({ id: z.string(), question: z.string(), captured: z.string() })

export const onlyQuestionsAreAnswered: Check = {
  name: 'only questions are answered',
  async find({ database: { sql } }) {
    const found = await sql`select id, question, coalesce(captured, 0)::text as captured from turns`
    return found
      .map((one) => row.parse(one))
      .filter(({ question }) => questionIn(question) === undefined)
      .map(({ id, question, captured }) => ({
        about: id,
        fact: `"${question}" was answered for ${captured} kopecks`,
      }))
  },
}
