// Body fields of `POST /v1/responses`: `model`, `input` (string), `tools`, and `stream`, which text models accept.

import { z } from 'zod'

// "an item can be {type: 'web_search'}"; a code interpreter needs a container in the public format.
const tool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('web_search') }),
  z.strictObject({
    type: z.literal('code_interpreter'),
    container: z.strictObject({ type: z.literal('auto') }).optional(),
  }),
])

export const responsesFields = z.strictObject({
  model: z.string(),
  input: z.string().min(1),
  tools: z.array(tool).min(1).optional(),
  stream: z.boolean().optional(),
})

export type ResponsesBody = z.output<typeof responsesFields>
