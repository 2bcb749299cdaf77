// Answering inline queries.

import { z } from 'zod'
import { defined } from '../defined.ts'
import { inlineQueries, inlineResults, offeredResults } from '../inline.ts'
import { type Methods, method } from '../method.ts'
import { bool, int, json, str } from '../params.ts'
import { refuse } from '../refusal.ts'

const usualCacheSeconds = 300

const resultsButton = z.object({ text: str, start_parameter: str.default('') })

export const inline = {
  answerInlineQuery: method(
    z.object({
      inline_query_id: str.default(''),
      results: inlineResults,
      cache_time: int.default(usualCacheSeconds),
      is_personal: bool.default(false),
      next_offset: str.default(''),
      button: json(resultsButton).optional(),
    }),
    (server, params) => {
      const {
        inline_query_id,
        next_offset,
        button,
        cache_time: cacheSeconds,
        is_personal: isPersonal,
      } = params
      const results = offeredResults(server, params.results)
      if (Buffer.byteLength(next_offset) > 64) refuse('NEXT_OFFSET_INVALID')
      const answer = { results, next_offset, cacheSeconds, isPersonal, ...defined({ button }) }
      if (inlineQueries.answer(server, inline_query_id, answer)) return true as const
      return refuse('query is too old and response timeout expired or query ID is invalid')
    },
  ),
} satisfies Methods
