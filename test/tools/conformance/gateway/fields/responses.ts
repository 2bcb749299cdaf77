// Body fields of `POST /v1/responses`: `model`, `input` (string), `tools`, and `stream`, which text models accept. The document does not
// say whether other fields of the public format are accepted, so a switch decides that.

import { z } from 'zod'

// "an item can be {type: 'web_search'}"; the document names the code interpreter without its shape.
const builtIn = [
  z.strictObject({ type: z.literal('web_search') }),
  z.strictObject({
    type: z.literal('code_interpreter'),
    container: z.strictObject({ type: z.literal('auto') }).optional(),
  }),
] as const

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.looseObject({ type: z.literal('object') }).optional(),
  strict: z.boolean().optional(),
})

const named = { model: z.string(), input: z.string().min(1), stream: z.boolean().optional() }

/** The schema of a gateway that accepts only the fields that the document names. */
export const namedResponsesFields = z.strictObject({
  ...named,
  tools: z.array(z.discriminatedUnion('type', builtIn)).min(1).optional(),
})

export const responsesFields = z.strictObject({
  ...named,
  tools: z
    .array(z.discriminatedUnion('type', [...builtIn, functionTool]))
    .min(1)
    .optional(),
  tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
  instructions: z.string().optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  reasoning: z.strictObject({ effort: z.string().optional(), summary: z.string().optional() }).optional(),
  text: z.looseObject({}).optional(),
  store: z.boolean().optional(),
  metadata: z.looseObject({}).optional(),
})
