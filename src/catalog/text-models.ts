// Text models. All of them come from the operator (`textModels` in CATALOG_FILE), because gateway-api.md names none. It describes
// families of models: which operations they take and what they lack. That is defined here.

import { z } from 'zod'
import { decimal, type Fraction, times } from '../money.ts'
import { json } from './request.ts'

export const families = ['assistant', 'gemini', 'gpt', 'grok', 'deepseek', 'mistral', 'minimax'] as const
type Family = (typeof families)[number]

/** What a user can switch on in a conversation. */
export const modeNames = ['thinking', 'search', 'code'] as const
export type ModeName = (typeof modeNames)[number]

const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'a decimal in quotes, like "390"')

/** The fields of `/v1/chat/completions` for the Gemini-style family; the gateway refuses others with HTTP 400. */
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

/** Fields of the messages format only, and of the native pass-through only. */
const messagesOnly = ['cache_control', 'top_k', 'mcp_servers']
const nativeOnly = ['generationConfig', 'safetySettings', 'cachedContent', 'toolConfig']

const textModelFields = z.strictObject({
  /** The id at the gateway. */
  id: z.string().min(1).max(60),
  label: z.string().min(1).max(40).optional(),
  family: z.enum(families),
  /** Roubles per million tokens; a model without rates is not offered. */
  rates: z.strictObject({ input: roubles, output: roubles }).optional(),
  /** User price = gateway price x multiplier. */
  multiplier: roubles.default('1'),
  /** In tokens: question, history and answer together. */
  context: z.int().min(1000).max(10_000_000).default(32_000),
  maxOutput: z.int().min(100).max(200_000).default(4000),
  abilities: z.array(z.enum([...modeNames, 'vision', 'tools'])).default([]),
  /** Body fields for all requests: `{"top_k": 40}`, `{"mcp_servers": [...]}`, `{"temperature": 0.3}`. */
  request: z.record(z.string(), json).default({}),
  /** The vendor in the path of the native pass-through. */
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

/** The modes that both the operator's `abilities` and the family allow. */
export function modesOf({ family, abilities, maxOutput }: TextModel): readonly ModeName[] {
  const can: Readonly<Record<ModeName, boolean>> = {
    thinking: maxOutput >= leastWithThinking,
    search: !withoutSearch.includes(family),
    code: true,
  }
  return modeNames.filter((mode) => abilities.includes(mode) && can[mode])
}

/** Thinking takes at least 1024 tokens, and the answer needs tokens too. */
export const leastWithThinking = 2048

type Operation = 'chat' | 'messages' | 'responses' | 'native'

/**
 * The operation for a conversation: the default, unless a feature of another operation is on. Gemini-style models never use the
 * messages format.
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

/** The user's price in roubles; undefined without rates. */
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
