// The content of a text model's answer, independent of the format of the operation.

import type { FunctionTool } from '../fields/chat.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** The arguments of the call, as JSON. */
  readonly args: string
}

export interface Said {
  readonly id: string
  readonly model: string
  readonly created: number
  readonly pieces: readonly string[]
  readonly thoughts: readonly string[]
  readonly call: ToolCall | undefined
  readonly tokens: { readonly input: number; readonly output: number }
}

let count = 0

/** Makes an answer. Its pieces have characters of two, three and four bytes, so that a chunk can end inside a character. */
export function saidOf(model: string, body: object, call: ToolCall | undefined): Said {
  count += 1
  const pieces = [`Answer ${count}: `, 'ёжик 🦔 ', 'и 汉字, ', 'line\nend', ` [${count}]`]
  return {
    id: `said-${count}`,
    model,
    created: 1_750_000_000 + count,
    pieces: call ? [] : pieces,
    thoughts: ['thinking about ', 'it'],
    call,
    tokens: { input: Math.ceil(JSON.stringify(body).length / 4), output: call ? 12 : 24 },
  }
}

/** The arguments that a model would send: a value of the right type for each required property. */
export function callOf({ function: { name, parameters } }: FunctionTool): ToolCall {
  count += 1
  const required = Array.isArray(parameters?.required) ? parameters.required : []
  const properties = Object.entries(isRecord(parameters?.properties) ? parameters.properties : {})
  const chosen = properties.filter(([key]) => required.includes(key))
  const args = Object.fromEntries(chosen.map(([key, schema]) => [key, sampleOf(schema)]))
  return { id: `call_${count}`, name, args: JSON.stringify(args) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'a'
  const { enum: values, type, minimum } = schema
  if (Array.isArray(values)) return values[0]
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 2
  if (type === 'boolean') return true
  return type === 'array' ? [] : 'a red ball'
}
