// Tokens and their price. gateway-api.md shows neither. Chosen here: four characters are a token, rounded up, and an attachment is 256
// tokens; the charge for all tokens of a request is rounded up once to a kopeck.

import { ceilKopecks, decimal, type Fraction, plus, times } from '../../../money.ts'
import type { Account } from '../account.ts'
import { GatewayRefusal } from '../answer.ts'
import type { Ask, Reply } from './ask.ts'
import type { TextModel } from './models.ts'

export const charactersPerToken = 4
const tokensPerAttachment = 256
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
  const described = tools.length > 0 ? JSON.stringify(tools).length : 0
  return Math.max(1, tokensOf(words + described)) + attachments * tokensPerAttachment
}

/** The number of characters that the model wrote, as text and in tool calls. */
const lengthOf = ({ text, calls }: Reply): number =>
  text.length + calls.reduce((sum, { name, input }) => sum + name.length + JSON.stringify(input).length, 0)

export function usageOf(ask: Ask, replies: readonly Reply[]): Usage {
  const thought = replies.reduce((sum, { thinking }) => sum + thinking.length, 0)
  const said = replies.reduce((sum, reply) => sum + lengthOf(reply), 0)
  return { input: inputTokens(ask), output: tokensOf(thought + said), thinking: tokensOf(thought) }
}

const perMillion = (roubles: string, tokens: number): Fraction =>
  times(decimal(roubles), decimal(tokens), { num: 1n, den: 1_000_000n })

/** The price in kopecks. */
export const priceOf = ({ rates }: TextModel, input: number, output: number): number =>
  Number(ceilKopecks(plus(perMillion(rates.input, input), perMillion(rates.output, output))))

/** Checks that the balance covers the longest possible answer. @throws GatewayRefusal */
export function checkCovered(account: Account, ask: Ask, replies: number): void {
  const longest = (ask.maxTokens ?? defaultTokens) * replies
  const estimate = priceOf(ask.model, inputTokens(ask), longest)
  if (account.covers(estimate)) return
  throw new GatewayRefusal(402, 'insufficient_balance', `the balance does not cover ${estimate} kopecks`)
}
