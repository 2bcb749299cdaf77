// A request to a text model, independent of the wire format: its strict validation, its models, its reply and its price. gateway-api.md shows
// neither ids nor prices of text models nor how tokens are counted, so all are chosen here: one model of each family that it distinguishes,
// prices of the usual magnitude, four characters a token, rounded up, 256 tokens a picture, 32 tokens a
// second of sound; the charge for all tokens of a request is
// rounded up once to a kopeck.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, plus, times } from '../../../money.ts'
import type { Account } from '../account.ts'
import { GatewayRefusal } from '../answer.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** Number of pictures. */
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
  readonly stop: readonly string[]
  /** Whether the answer is to be a JSON object. */
  readonly json: boolean
  /** Whether the reply shows its thinking. */
  readonly thinking: boolean
  /** Whether `reasoning_effort` is set: the model then thinks, but its thinking is not shown. */
  readonly hiddenThinking: boolean
  readonly webSearch: boolean
  readonly code: boolean
}

/** The defaults of a request. */
export const plain = {
  tools: [],
  stop: [],
  json: false,
  thinking: false,
  hiddenThinking: false,
  webSearch: false,
  code: false,
} as const

export interface ToolCall {
  readonly name: string
  readonly input: unknown
}

export interface Reply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly ended: 'whole' | 'length' | 'stop' | 'calls'
  /** The stop sequence at which the text ended. */
  readonly stoppedAt: string | undefined
  /** A result of the web search. */
  readonly source: { readonly title: string; readonly url: string } | undefined
}

const lastOfUser = ({ turns }: Ask): Turn | undefined => turns.findLast(({ role }) => role === 'user')

export const lastUserText = (ask: Ask): string => lastOfUser(ask)?.text ?? ''

export const lastUserPictures = (ask: Ask): number => lastOfUser(ask)?.attachments ?? 0

type Family = 'assistant' | 'gemini' | 'gpt' | 'grok' | 'deepseek' | 'mistral' | 'minimax'

export interface TextModel {
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

/** @throws GatewayRefusal */
export function textModel(id: string): TextModel {
  const found = textModels.find((model) => model.id === id)
  if (found) return found
  throw new GatewayRefusal(404, 'unknown_model', `no text model "${id}"`)
}

/** @throws GatewayRefusal when the model belongs to none of these families */
export function textModelOf(families: readonly Family[], id: string, path: string): TextModel {
  const model = textModel(id)
  if (families.includes(model.family)) return model
  throw new GatewayRefusal(400, 'unsupported_model', `the model "${id}" does not work on ${path}`)
}

const withoutWebSearch: readonly Family[] = ['deepseek', 'mistral', 'minimax']

/** @throws GatewayRefusal */
export function checkWebSearch({ id, family }: TextModel, isWanted: boolean): void {
  if (!isWanted || !withoutWebSearch.includes(family)) return
  throw new GatewayRefusal(400, 'unsupported_tool', `web search is not supported for the model "${id}"`)
}

export const bad = (message: string): GatewayRefusal => new GatewayRefusal(400, 'invalid_body', message)

/** @throws GatewayRefusal */
export function check<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') throw unknownName(unknown)
  throw bad(parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}

function unknownName({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): GatewayRefusal {
  const place = path.length > 0 ? ` at '${path.join('.')}'` : ''
  const message = `Invalid JSON payload received. Unknown name "${keys[0]}"${place}: Cannot find field.`
  return new GatewayRefusal(400, 'unknown_field', message)
}

const named = z.looseObject({ model: z.string() })

/** The model of a body, whose family decides which other fields are allowed. @throws GatewayRefusal */
export const modelIn = (body: unknown): string => check(named, body).model

export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
export const jsonObject = z.record(z.string(), z.unknown())

/** A link to a file, or its content. */
export const fileUrl = z.string().regex(/^(https?:\/\/\S+|data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/=]+)$/, {
  error: 'must be an http(s) URL or a base64 data URI',
})
export const base64 = z.string().regex(/^[A-Za-z0-9+/=]+$/, { error: 'must be base64' })

export const charactersPerToken = 4
const tokensPerAttachment = 256
/** A second of speech as WAV, in base64: 16 000 samples of two bytes. */
const soundPerToken = (32_000 * 4) / 3 / 32
/** The answer length that the balance must cover when the request sets no limit. */
const defaultTokens = 1000

export interface Usage {
  readonly input: number
  /** Includes the tokens of thinking. */
  readonly output: number
  readonly thinking: number
}

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

function inputTokens({ turns, tools }: Ask): number {
  const words = turns.reduce((sum, { text }) => sum + text.length, 0)
  const attachments = turns.reduce((sum, turn) => sum + turn.attachments, 0)
  const heard = turns.reduce((sum, { sounds = [] }) => sum + sounds.join('').length, 0)
  const described = tools.length > 0 ? JSON.stringify(tools).length : 0
  const files = attachments * tokensPerAttachment + Math.ceil(heard / soundPerToken)
  return Math.max(1, tokensOf(words + described)) + files
}

/** The number of characters that the model wrote, as text and in tool calls. */
const lengthOf = ({ text, calls }: Reply): number =>
  text.length + calls.reduce((sum, { name, input }) => sum + name.length + JSON.stringify(input).length, 0)

export function usageOf(ask: Ask, reply: Reply): Usage {
  const thought = reply.thinking.length
  return { input: inputTokens(ask), output: tokensOf(thought + lengthOf(reply)), thinking: tokensOf(thought) }
}

const perMillion = (roubles: string, tokens: number): Fraction =>
  times(decimal(roubles), decimal(tokens), { num: 1n, den: 1_000_000n })

/** The price in kopecks. */
export const priceOf = ({ rates }: TextModel, input: number, output: number): number =>
  Number(ceilKopecks(plus(perMillion(rates.input, input), perMillion(rates.output, output))))

/** Checks that the balance covers the longest possible answer. @throws GatewayRefusal */
export function checkCovered(account: Account, ask: Ask): void {
  const estimate = priceOf(ask.model, inputTokens(ask), ask.maxTokens ?? defaultTokens)
  if (account.covers(estimate)) return
  throw new GatewayRefusal(402, 'insufficient_balance', `the balance does not cover ${estimate} kopecks`)
}
