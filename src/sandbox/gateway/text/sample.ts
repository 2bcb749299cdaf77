// A value that fits a JSON schema: what the local gateway's models fill the arguments of a tool with. It follows what
// people write in such schemas (types, choices, bounds, required properties) and leaves optional properties out.

import { z } from 'zod'

const schema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  minItems: z.int().nonnegative().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().nonnegative().optional(),
})
type Schema = z.output<typeof schema>

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** @param words what a text is when the schema does not care */
export function sampleOf(input: unknown, words: string): unknown {
  const parsed = schema.safeParse(input)
  if (!parsed.success) return {}
  const { data } = parsed
  for (const given of [data.const, data.enum?.[0], data.default, data.examples?.[0]]) {
    if (given !== undefined) return given
  }
  const inner = data.anyOf?.[0] ?? data.oneOf?.[0]
  return inner === undefined ? typed(data, words) : sampleOf(inner, words)
}

function typed(one: Schema, words: string): unknown {
  // The Gemini-style family writes its types in capitals.
  const type = [one.type].flat()[0]?.toLowerCase() ?? (one.items === undefined ? 'object' : 'array')
  switch (type) {
    case 'string':
      return textOf(one, words)
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, one.minimum ?? 1), one.maximum ?? Infinity)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: one.minItems ?? 1 }, () => sampleOf(one.items, words))
    case 'null':
      return null
    default:
      return objectOf(one, words)
  }
}

function textOf({ format = '', minLength = 0, maxLength }: Schema, words: string): string {
  return formats[format] ?? words.padEnd(minLength, '.').slice(0, maxLength)
}

function objectOf({ properties = {}, required = [] }: Schema, words: string): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(properties[name] ?? { type: 'string' }, words)]),
  )
}
