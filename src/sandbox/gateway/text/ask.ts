// A request to a text model, independent of the wire format: its models, its reply and its price. gateway-api.md shows neither ids nor prices
// of text models nor how tokens are counted, so all are chosen here: one model of each family, prices of the usual magnitude, four characters
// a token, rounded up, 256 tokens a picture, document or video, 32 tokens a second of sound; the charge for all tokens of a request is rounded up once to a
// kopeck.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, plus, times } from '../../../money.ts'
import { GatewayRefusal } from '../answer.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** Number of pictures, documents and videos. */
  readonly attachments: number
  /** The sounds, in base64. */
  readonly sounds?: readonly string[]
  /** The functions that the model called. */
  readonly calls?: readonly ToolCall[]
}

export interface Tool {
  readonly name: string
  /** A JSON schema of the arguments. */
  readonly parameters: unknown
}

export interface Ask {
  readonly model: TextModel
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly maxTokens: number | undefined
  /** Whether the reply shows its thinking. */
  readonly thinking: boolean
  /** Whether `reasoning_effort` is set: the model then thinks, but its thinking is not shown. */
  readonly hiddenThinking: boolean
  readonly webSearch: boolean
  readonly code: boolean
  /** Whether the answer has to be JSON. */
  readonly json: boolean
  /** Whether the answer states its usage. */
  readonly tellsUsage: boolean
}

/** The defaults of a request. */
export const plain = {
  tools: [],
  thinking: false,
  hiddenThinking: false,
  webSearch: false,
  code: false,
  json: false,
  tellsUsage: true,
} as const

export interface ToolCall {
  readonly name: string
  readonly input: unknown
}

export interface Reply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly ended: 'whole' | 'length' | 'calls'
  /** A result of the web search, to which the text has a link. */
  readonly source: { readonly title: string; readonly url: string } | undefined
}

/** What all formats state about an answer. */
export interface Head {
  readonly id: string
  readonly model: string
  /** Unix time in seconds. */
  readonly created: number
}

const lastOfUser = ({ turns }: Ask): Turn | undefined => turns.findLast(({ role }) => role === 'user')

export const lastUserText = (ask: Ask): string => lastOfUser(ask)?.text ?? ''

export const lastUserPictures = (ask: Ask): number => lastOfUser(ask)?.attachments ?? 0

type Family = 'assistant' | 'gemini' | 'gpt' | 'grok' | 'deepseek' | 'mistral' | 'minimax'

interface TextModel {
  readonly id: string
  readonly family: Family
  /** Roubles per million tokens. */
  readonly rates: { readonly input: string; readonly output: string }
}

export const textModels: readonly TextModel[] = [
  { id: 'TEXT-ASSISTANT', family: 'assistant', rates: { input: '390', output: '1950' } },
  { id: 'TEXT-GEMINI', family: 'gemini', rates: { input: '165', output: '1320' } },
  { id: 'TEXT-GPT', family: 'gpt', rates: { input: '165', output: '1320' } },
  { id: 'TEXT-GROK', family: 'grok', rates: { input: '396', output: '1980' } },
  { id: 'TEXT-DEEPSEEK', family: 'deepseek', rates: { input: '36.98', output: '55.46' } },
  { id: 'TEXT-MISTRAL', family: 'mistral', rates: { input: '52.82', output: '264.1' } },
  { id: 'TEXT-MINIMAX', family: 'minimax', rates: { input: '39.62', output: '158.46' } },
]

/**
 * @param families that work on the path; by default all
 * @throws GatewayRefusal
 */
export function textModelIn(body: unknown, path: string, families?: readonly Family[]): TextModel {
  const { model: id } = parsed(z.looseObject({ model: z.string() }), body)
  const model = textModels.find((one) => one.id === id)
  if (!model) throw new GatewayRefusal(404, 'unknown_model', `no text model "${id}"`)
  if (!families || families.includes(model.family)) return model
  throw new GatewayRefusal(400, 'unsupported_model', `the model "${id}" does not work on ${path}`)
}

/** @throws GatewayRefusal */
function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  const problems = error.issues.map(({ path, message }) => [...path, message].join(': '))
  throw bad(problems.join('; '))
}

/**
 * @param others the names of fields that are taken and change nothing here, separated by spaces
 * @throws GatewayRefusal
 */
export function check<S extends z.ZodObject>(schema: S, body: unknown, others = ''): z.output<S> {
  const known = [...Object.keys(schema.shape), ...others.split(' ')]
  const unknown = Object.keys(parsed(z.looseObject({}), body)).find((name) => !known.includes(name))
  if (unknown === undefined) return parsed(schema, body)
  const message = `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`
  throw new GatewayRefusal(400, 'unknown_field', message)
}

export const bad = (message: string): GatewayRefusal => new GatewayRefusal(400, 'invalid_body', message)

export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
export const jsonObject = z.record(z.string(), z.unknown())
/** A function that a model may call. */
export const functionShape = { name: toolName, description: z.string(), parameters: jsonObject }
export const base64 = z.string().regex(/^[A-Za-z0-9+/=]+$/, { error: 'must be base64' })
export const tokenLimit = z.int().positive()

const charactersPerToken = 4
const tokensPerAttachment = 256
/** A second of speech as WAV, in base64: 16 000 samples of two bytes. */
const soundPerToken = (32_000 * 4) / 3 / 32
/** The answer length that the balance must cover when the request sets no limit. */
const defaultTokens = 1000

export interface Usage {
  readonly input: number
  /** Includes the tokens of thinking. */
  readonly output: number
}

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** The most characters of an answer. */
export const roomFor = ({ maxTokens = Infinity }: Ask): number => maxTokens * charactersPerToken

function inputTokens({ turns, tools }: Ask): number {
  const words = turns.reduce((sum, { text }) => sum + text.length, 0)
  const attachments = turns.reduce((sum, turn) => sum + turn.attachments, 0)
  const heard = turns.reduce((sum, { sounds = [] }) => sum + sounds.join('').length, 0)
  const described = tools.length > 0 ? JSON.stringify(tools).length : 0
  const files = attachments * tokensPerAttachment + Math.ceil(heard / soundPerToken)
  return Math.max(1, tokensOf(words + described)) + files
}

/** The number of characters that the model wrote, as thinking, as text and in tool calls. */
const lengthOf = ({ thinking, text, calls }: Reply): number =>
  calls.reduce(
    (sum, { name, input }) => sum + name.length + JSON.stringify(input).length,
    thinking.length + text.length,
  )

export const usageOf = (ask: Ask, reply: Reply): Usage => ({
  input: inputTokens(ask),
  output: tokensOf(lengthOf(reply)),
})

const perMillion = (roubles: string, tokens: number): Fraction =>
  times(decimal(roubles), decimal(tokens), { num: 1n, den: 1_000_000n })

/** The price in kopecks. */
export const priceOf = ({ rates }: TextModel, input: number, output: number): number =>
  Number(ceilKopecks(plus(perMillion(rates.input, input), perMillion(rates.output, output))))

/** The price of the longest possible answer, in kopecks. */
export const mostFor = (ask: Ask): number =>
  priceOf(ask.model, inputTokens(ask), ask.maxTokens ?? defaultTokens)
