// The answer of a text model, independent of its format and of whether it was streamed.

import type { GatewayFile } from './files.ts'

export interface Usage {
  /** Including tokens read from and written to a cache. */
  readonly inputTokens: number
  /** Including the tokens of thinking. */
  readonly outputTokens: number
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
}

export interface Source {
  readonly url: string
  readonly title?: string
}

/** A picture in an answer, as bytes or as a link. Pictures are taken out of the text. */
export type Picture = GatewayFile

/** What ended an answer. */
export type Ending =
  /** The model had nothing to add, or calls a function. */
  | 'complete'
  /** The longest output, or the end of the context. */
  | 'length'
  /** A content filter or policy. */
  | 'filter'
  /** The model refused; its words may be in `refusal`. */
  | 'refusal'
  /** Our account at the gateway has no money or quota left. */
  | 'balance'
  /** The most calls of the gateway's own tools. */
  | 'tools'
  /** It broke off at the gateway or its vendor. */
  | 'incomplete'
  /** Only the gateway's word is known. */
  | 'unknown'

/** The facts that are known at the end of an answer. */
export interface ChatEnd {
  /** `word` is the gateway's own word; without a word an answer is complete. */
  readonly end: { readonly how: Ending; readonly word?: string }
  /** The words of a refusal or of a filter, which are not part of the text, without addresses and secrets. */
  readonly refusal?: string
  /** Undefined unless both numbers are known, since an unknown number is not zero. */
  readonly usage?: Usage
  readonly toolCalls?: readonly ToolCall[]
  /** Sources of a web search. */
  readonly sources?: readonly Source[]
}

/** Pieces of text and thinking, and pictures, in order; then exactly one end. */
export type ChatPiece =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly picture: Picture }
  | ChatEnd

/** The first match counts. Case and separators of a word do not matter. */
const endings: readonly (readonly [Ending, RegExp])[] = [
  [
    'complete',
    /^(stop(sequence)?|end.*|eos(token)?|completed?|done|finish(ed)?|success|tooluse|(tool|function)calls?)$/,
  ],
  ['tools', /tool.*(limit|max|exceed)|(max|toomany)(tool|turn|step|iteration)|pauseturn/],
  ['balance', /balance|quota|credit|fund|billing|payment/],
  [
    'filter',
    /filter|safety|polic|moderat|recitation|block|prohibit|spii|sensitive|censor|guardrail|harm|violat/,
  ],
  ['refusal', /refus/],
  ['incomplete', /incomplete|error|cancel|abort|interrupt|timeout|fail|resource|malformed|disconnect/],
  ['length', /length|max|token|context|truncat/],
]

/** @param word the finish reason, as the format names it @param isRefused whether the answer has words of a refusal */
export function endOf(word: string | undefined, isRefused: boolean): ChatEnd['end'] {
  const plain = word?.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = endings.find(([, pattern]) => plain !== undefined && pattern.test(plain))?.[0]
  const told = plain === undefined ? 'complete' : (known ?? 'unknown')
  const how = told === 'complete' && isRefused ? 'refusal' : told
  return word === undefined ? { how } : { how, word }
}
