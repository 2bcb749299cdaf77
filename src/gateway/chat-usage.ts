// The token numbers of an answer, under the names of each format. Streams tell them in parts and repeat them. A zero means "not told":
// it replaces no number, since there is no answer without tokens.

import { z } from 'zod'
import type { Usage } from './chat-answer.ts'
import { fieldsOf } from './chat-content.ts'

const count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().positive())
const names = [
  ...['prompt_tokens', 'completion_tokens', 'total_tokens'],
  ...['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
  ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
] as const
type Counts = Partial<Record<(typeof names)[number], number>>

interface UsageSum {
  /** @param raw any JSON value; its numbers complete or replace earlier ones */
  add(raw: unknown): void
  total(): Usage | undefined
}

export function createUsage(): UsageSum {
  const told: Counts = {}
  return {
    add(raw) {
      const fields = fieldsOf(raw)
      for (const name of names) {
        const data = fields[name] === undefined ? undefined : count.safeParse(fields[name]).data
        if (data !== undefined) told[name] = data
      }
    },
    total: () => usageIn(told),
  }
}

function usageIn(told: Counts): Usage | undefined {
  const total = told.total_tokens ?? told.totalTokenCount
  const input = told.prompt_tokens ?? messagesInput(told) ?? told.promptTokenCount
  const output = chatOutput(told) ?? told.output_tokens ?? nativeOutput(told)
  const inputTokens = input ?? rest(total, output)
  const outputTokens = output ?? rest(total, input)
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

const rest = (total = 0, known = 0): number | undefined =>
  known > 0 && total > known ? total - known : undefined

/** The messages format counts cached tokens separately. */
function messagesInput(told: Counts): number | undefined {
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = told
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens || undefined
}

/** Some vendors of chat completions count thinking in the total alone. */
function chatOutput({ prompt_tokens, completion_tokens, total_tokens }: Counts): number | undefined {
  return completion_tokens && Math.max(completion_tokens, rest(total_tokens, prompt_tokens) ?? 0)
}

/** The native format counts thinking separately. */
const nativeOutput = ({ candidatesTokenCount = 0, thoughtsTokenCount = 0 }: Counts): number | undefined =>
  candidatesTokenCount + thoughtsTokenCount || undefined
