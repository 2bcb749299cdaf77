// Text models: all of them are the operator's (`textModels` in CATALOG_FILE), since the gateway's document names none. What
// the document says of their families is here, once: where each can be asked, and what each can not do.

import { z } from 'zod'
import { decimal, type Fraction, times } from '../money.ts'
import { json } from './request.ts'

export const families = ['assistant', 'gemini', 'gpt', 'grok', 'deepseek', 'mistral', 'minimax'] as const
export type Family = (typeof families)[number]

/** What can be switched on in a conversation. */
export const modeNames = ['thinking', 'search', 'code'] as const
export type ModeName = (typeof modeNames)[number]

const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'a decimal in quotes, like "390"')

/** What the gateway takes at `/v1/chat/completions` for the Gemini-style family; any other field is refused with HTTP 400. */
export const geminiChatFields: readonly string[] = [
  'model',
  'messages',
  'stream',
  'temperature',
  'max_completion_tokens',
  'max_tokens',
  'top_p',
  'stop',
  'seed',
  'response_format',
  'reasoning_effort',
  'tools',
  'tool_choice',
  'extra_body',
]

/** What only the messages format takes, and what only the native pass-through does. */
const messagesOnly = ['cache_control', 'top_k', 'mcp_servers']
const nativeOnly = ['generationConfig', 'safetySettings', 'cachedContent', 'toolConfig']

const textModelFields = z.strictObject({
  /** The catalog id that is sent to the gateway. */
  id: z.string().min(1).max(60),
  label: z.string().min(1).max(40).optional(),
  family: z.enum(families),
  /** Roubles for a million tokens; without them the model is not offered. */
  rates: z.strictObject({ input: roubles, output: roubles }).optional(),
  /** User price = gateway price x multiplier. */
  multiplier: roubles.default('1'),
  /** Tokens of question, history and answer together. */
  context: z.int().min(1000).max(10_000_000).default(32_000),
  maxOutput: z.int().min(100).max(200_000).default(4000),
  abilities: z.array(z.enum([...modeNames, 'vision', 'tools'])).default([]),
  /** Body fields the operator sets for everybody: `{"top_k": 40}`, `{"mcp_servers": [...]}`, `{"temperature": 0.3}`. */
  request: z.record(z.string(), json).default({}),
  /** The vendor's word in the path of the native pass-through. */
  nativeVendor: z
    .string()
    .regex(/^[\w-]+$/)
    .default('gemini'),
})

const textModel = textModelFields.superRefine(({ family, request }, context) => {
  const known = [...geminiChatFields, ...nativeOnly]
  const unknown = family === 'gemini' ? Object.keys(request).find((name) => !known.includes(name)) : undefined
  if (unknown === undefined) return
  const message = `the Gemini-style family does not take "${unknown}"; native parameters go into "generationConfig"`
  context.addIssue({ code: 'custom', path: ['request', unknown], message })
})

export type TextModel = z.output<typeof textModel>

export const textModelList: z.ZodType<readonly TextModel[]> = z
  .array(textModel)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'two models have one id')

export const labelOf = ({ id, label }: TextModel): string => label ?? id

/** A model without a price is not offered. */
export const offeredModels = (all: readonly TextModel[]): readonly TextModel[] =>
  all.filter(({ rates }) => rates)

/** "Web search is not supported for" these. */
const withoutSearch: readonly Family[] = ['deepseek', 'mistral', 'minimax']

/** What a user can switch on: what the operator says the model can do, and its family can. */
export function modesOf({ family, abilities, maxOutput }: TextModel): readonly ModeName[] {
  const can: Readonly<Record<ModeName, boolean>> = {
    thinking: maxOutput >= leastWithThinking,
    search: !withoutSearch.includes(family),
    code: true,
  }
  return modeNames.filter((mode) => abilities.includes(mode) && can[mode])
}

/** Formats that think want at least 1024 tokens for it, and an answer needs room too. */
export const leastWithThinking = 2048

export type Operation = 'chat' | 'messages' | 'responses' | 'native'

/**
 * Which operation a conversation needs: the default, unless a native feature of the family is on. Gemini-style models
 * never go to the messages format.
 */
export function operationFor(
  { family, request = {} }: Pick<TextModel, 'family'> & Partial<Pick<TextModel, 'request'>>,
  modes: Readonly<Record<ModeName, boolean>>,
): Operation {
  const asks = (names: readonly string[]) => names.some((name) => name in request)
  if (family === 'assistant' && (modes.thinking || asks(messagesOnly))) return 'messages'
  if ((family === 'gpt' || family === 'grok') && (modes.search || modes.code)) return 'responses'
  return family === 'gemini' && (modes.code || modes.search || asks(nativeOnly)) ? 'native' : 'chat'
}

/** Roubles for so many tokens, the margin within; undefined without a price. */
export function tokenPrice(
  { rates, multiplier }: TextModel,
  tokens: { readonly input: number; readonly output: number },
): Fraction | undefined {
  if (!rates) return undefined
  const perToken = { num: 1n, den: 1_000_000n }
  const side = (rate: string, count: number) =>
    times(decimal(rate), decimal(count), perToken, decimal(multiplier))
  const [input, output] = [side(rates.input, tokens.input), side(rates.output, tokens.output)]
  return { num: input.num * output.den + output.num * input.den, den: input.den * output.den }
}
