// A request to a text model, independent of the wire format: its models, its reply and its price. gateway-api.md shows neither ids nor prices
// of text models nor how tokens are counted, so all are chosen: one model of each family, with prices of the usual magnitude, in the sandbox's settings of the catalog; four characters
// a token, rounded up, 256 tokens a picture, document or video, 32 tokens a second of sound; the charge for all tokens of a request is rounded up once to a
// kopeck.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, plus, times } from '../../../money.ts'
import catalog from '../../catalog.json' with { type: 'json' }
import { bad, parsed } from '../answer.ts'

/** A part of a message. */
export interface Bit {
  readonly text?: string
  /** A picture, document or video. */
  readonly isFile?: boolean
  /** Sound, in base64. */
  readonly sound?: string
  /** A function that the model called. */
  readonly call?: ToolCall
  /** The id of the call whose result this is. */
  readonly result?: string
}

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly bits: readonly Bit[]
}

export interface Tool {
  readonly name: string
  /** A JSON schema of the arguments. */
  readonly parameters: unknown
}

export interface Ask {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly maxTokens: number | undefined
  /** The modes that the request switched on. */
  readonly modes: readonly ('thinking' | 'search' | 'code')[]
  /** Whether the reply shows its thinking. */
  readonly showsThinking?: boolean
  /** Whether the answer has to be JSON. */
  readonly json?: boolean
  /** Whether the answer states its usage. */
  readonly tellsUsage: boolean
}

export interface Reply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly Omit<ToolCall, 'id'>[]
  readonly ended: 'whole' | 'length' | 'calls'
  /** A result of the web search, to which the text has a link. */
  readonly source: { readonly title: string; readonly url: string } | undefined
}

/** Results of calls are a turn of their own, unless the user adds something. */
export const turnOf = (role: Turn['role'], bits: readonly Bit[]): Turn => ({
  role: bits.every(({ result }) => result !== undefined) ? 'system' : role,
  bits,
})

/** The words of a turn, without the results of calls. */
export const textOf = ({ bits }: Turn): string =>
  bits.flatMap(({ text, result }) => (result === undefined && text ? [text] : [])).join('\n')

export const lastUserText = ({ turns }: Ask): string => {
  const last = turns.findLast(({ role }) => role === 'user')
  return last ? textOf(last) : ''
}

export type TextModel = (typeof textModels)[number]
export const { textModels } = catalog

/**
 * @param others the names of fields that are taken and change nothing here, separated by spaces
 * @throws GatewayRefusal
 */
export function check<S extends z.ZodObject>(schema: S, body: unknown, others = ''): z.output<S> {
  const known = [...Object.keys(schema.shape), ...others.split(' ')]
  const unknown = Object.keys(parsed(z.looseObject({}), body)).find((name) => !known.includes(name))
  if (unknown === undefined) return parsed(schema, body)
  throw bad(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`, 'unknown_field')
}

const charactersPerToken = 4
const tokensPerFile = 256
/** A second of speech as WAV, in base64: 16 000 samples of two bytes. */
const soundPerToken = (32_000 * 4) / 3 / 32
/** The answer length that the balance must cover when the request sets no limit. */
const defaultTokens = 1000

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** The most characters of an answer. */
export const roomFor = ({ maxTokens = Infinity }: Ask): number => maxTokens * charactersPerToken

export function inputTokens({ turns, tools }: Ask): number {
  const bits = turns.flatMap((turn) => turn.bits)
  const length = (key: 'text' | 'sound') => bits.reduce((sum, { [key]: text = '' }) => sum + text.length, 0)
  const described = tools.length > 0 ? JSON.stringify(tools).length : 0
  const files = bits.filter(({ isFile }) => isFile).length * tokensPerFile
  return (
    Math.max(1, tokensOf(length('text') + described)) + files + Math.ceil(length('sound') / soundPerToken)
  )
}

/** The tokens that the model wrote, as thinking, as text and in tool calls. */
export const outputTokens = ({ thinking, text, calls }: Reply): number =>
  tokensOf(
    calls.reduce(
      (sum, { name, input }) => sum + name.length + JSON.stringify(input).length,
      thinking.length + text.length,
    ),
  )

const perMillion = (roubles: string, tokens: number): Fraction =>
  times(decimal(roubles), decimal(tokens), { num: 1n, den: 1_000_000n })

/** The price in kopecks; without the tokens of the answer that of the longest possible one. */
export const priceOf = ({ rates }: TextModel, ask: Ask, output = ask.maxTokens ?? defaultTokens): number =>
  Number(ceilKopecks(plus(perMillion(rates.input, inputTokens(ask)), perMillion(rates.output, output))))
