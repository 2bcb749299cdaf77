// A value that conforms to a JSON schema, for the arguments of tool calls and for JSON answers. It handles types, choices, bounds
// and required properties, and leaves optional properties out.

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

/** @param text the value of strings that the schema does not restrict */
export function sampleOf(input: unknown, text: string): unknown {
  const parsed = schema.safeParse(input)
  if (!parsed.success) return {}
  const { data } = parsed
  for (const given of [data.const, data.enum?.[0], data.default, data.examples?.[0]]) {
    if (given !== undefined) return given
  }
  const inner = data.anyOf?.[0] ?? data.oneOf?.[0]
  return inner === undefined ? typed(data, text) : sampleOf(inner, text)
}

function typed(one: Schema, text: string): unknown {
  // The Gemini-style family writes types in capitals.
  const type = [one.type].flat()[0]?.toLowerCase() ?? (one.items === undefined ? 'object' : 'array')
  switch (type) {
    case 'string':
      return stringOf(one, text)
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, one.minimum ?? 1), one.maximum ?? Infinity)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: one.minItems ?? 1 }, () => sampleOf(one.items, text))
    case 'null':
      return null
    default:
      return objectOf(one, text)
  }
}

function stringOf({ format = '', minLength = 0, maxLength }: Schema, text: string): string {
  return formats[format] ?? text.padEnd(minLength, '.').slice(0, maxLength)
}

function objectOf({ properties = {}, required = [] }: Schema, text: string): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(properties[name] ?? { type: 'string' }, text)]),
  )
}
