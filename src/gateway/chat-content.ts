// What a text model says, independent of the format and of whether it was streamed, and how it is read from the content of every format, from a
// string to nested lists of parts. Each field is read for itself, so a field of an unexpected type loses only itself. gateway-api.md shows only
// where the text is; the rest is what clients of each format expect.

import { z } from 'zod'
import { mimeIn } from '../runtime/file-format.ts'
import { type Fields, fieldsOf, fromBase64, type GatewayFile, hasFields, isWebUrl, wordIn } from './files.ts'

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

/**
 * What ended an answer. `complete`: the model had nothing to add, or calls a function. `length`: the longest output, or the end of the
 * context. `filter`: a content filter or policy. `refusal`: the model refused; its words may be in `refusal`. `balance`: our account at the
 * gateway has no money or quota left. `tools`: the most calls of the gateway's own tools. `incomplete`: it broke off at the gateway or its
 * vendor. `unknown`: only the gateway's word is known.
 */
export type Ending =
  | 'complete'
  | 'length'
  | 'filter'
  | 'refusal'
  | 'balance'
  | 'tools'
  | 'incomplete'
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
const endings = {
  complete:
    /^(stop(sequence)?|end.*|eos(token)?|completed?|done|finish(ed)?|success|tooluse|(tool|function)calls?)$/,
  tools: /tool.*(limit|max|exceed)|(max|toomany)(tool|turn|step|iteration)|pauseturn/,
  balance: /balance|quota|credit|fund|billing|payment/,
  filter: /filter|safety|polic|moderat|recitation|block|prohibit|spii|sensitive|censor|guardrail|harm|violat/,
  refusal: /refus/,
  incomplete: /incomplete|error|cancel|abort|interrupt|timeout|fail|resource|malformed|disconnect/,
  length: /length|max|token|context|truncat/,
} as const
const endingNames = ['complete', 'tools', 'balance', 'filter', 'refusal', 'incomplete', 'length'] as const

/** @param word the finish reason, as the format names it @param isRefused whether the answer has words of a refusal */
export function endOf(word: string | undefined, isRefused: boolean): ChatEnd['end'] {
  const plain = word?.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = endingNames.find((name) => plain !== undefined && endings[name].test(plain))
  const told = plain === undefined ? 'complete' : (known ?? 'unknown')
  const how = told === 'complete' && isRefused ? 'refusal' : told
  return word === undefined ? { how } : { how, word }
}

/** A tool call, or a part of one: the parts of one `index` belong together, and without an index it is whole. */
export interface CallPart {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly arguments: string
}

/** One thing that a model said. */
export type Bit =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly refusal: string }
  | { readonly picture: Picture }
  | { readonly call: CallPart }
  | { readonly source: Source }

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A number, also one that is sent as a string; NaN for any other value. `Number` throws for an object whose `toString` is no function. */
export const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN

interface Place {
  readonly as: 'text' | 'thinking'
  /** The place of a part in its list, by which the parts of a tool call belong together. */
  readonly at: number
  readonly depth: number
}

const mostDepth = 8

/** @param as how a plain text is meant @param at the place of a part in its list */
export const bitsIn = (value: unknown, as: Place['as'] = 'text', at = 0): Bit[] => [
  ...read(value, { as, at, depth: mostDepth }),
]

function* read(value: unknown, place: Place): Generator<Bit> {
  if (place.depth === 0) return
  const inside = { ...place, depth: place.depth - 1 }
  if (typeof value === 'string' || typeof value === 'number') yield* said(String(value), place.as)
  else if (Array.isArray(value)) for (const [at, one] of value.entries()) yield* read(one, { ...inside, at })
  else if (hasFields(value)) yield* partBits(value, inside)
}

function* said(text: string, as: Place['as']): Generator<Bit> {
  if (text !== '') yield as === 'text' ? { text } : { thinking: text }
}

function* partBits(part: Fields, place: Place): Generator<Bit> {
  const type = wordIn(part.type) ?? ''
  if (part.thought === true || /think|reason|summary/.test(type)) {
    return yield* firstOf([part.thinking, part.reasoning, part.summary, part.text, part.content], place)
  }
  yield* firstOf([part.reasoning_content, part.reasoning, part.thinking, part.reasoning_details], place)
  yield* codeIn(part)
  // Results of the gateway's own tools are not part of the answer.
  const shown = /tool|_result$|_call$/.test(type) ? [] : [part.text, part.content, part.parts]
  for (const one of shown) yield* read(one, place)
  const refusal = wordIn(part.refusal)
  if (refusal) yield { refusal }
  yield* picturesIn(part, type)
  yield* callsIn(part, type, place.at)
  for (const cited of [part.annotations, part.citations, [part.annotation, part.citation]])
    for (const source of sourcesIn(cited)) yield { source }
}

/** The thinking in the first of the values that has any: vendors repeat it under several names. */
function* firstOf(values: readonly unknown[], place: Place): Generator<Bit> {
  for (const value of values) {
    const bits = [...read(value, { ...place, as: 'thinking' })]
    if (bits.length > 0) return yield* bits
  }
}

/** Executed code and its output are part of the answer. */
function* codeIn(part: Fields): Generator<Bit> {
  const { code, language } = fieldsOf(part.executableCode)
  const { output } = fieldsOf(part.codeExecutionResult)
  if (wordIn(code)) yield fenced(wordIn(language)?.toLowerCase() ?? '', String(code))
  if (typeof output === 'string') yield fenced('', output)
}

const fenced = (language: string, code: string): Bit => ({
  text: `\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\n`,
})

function* callsIn(part: Fields, type: string, at: number): Generator<Bit> {
  const native = fieldsOf(part.functionCall)
  const calls = [
    ...listOf(part.tool_calls).map((one, place) => callIn(fieldsOf(one), place)),
    callIn(fieldsOf(part.function_call), 0),
    callIn(native, undefined),
    ...(/^(tool_use|function_call)$/.test(type) || part.partial_json !== undefined ? [callIn(part, at)] : []),
  ]
  for (const call of calls) if (call.id || call.name || call.arguments) yield { call }
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function callIn(call: Fields, at: number | undefined): CallPart {
  const { name, arguments: text } = fieldsOf(call.function)
  const written = [text, call.arguments, call.args, call.input, call.partial_json]
  return {
    index: isIndex(call.index) ? call.index : at,
    id: wordIn(call.call_id, call.id),
    name: wordIn(name, call.name),
    arguments: written.map(asJson).find(Boolean) ?? '',
  }
}

/** Arguments that came as an object. A call in a stream begins with an empty one. */
function asJson(value: unknown): string {
  if (typeof value === 'string') return value
  return Object.keys(fieldsOf(value)).length > 0 ? JSON.stringify(value) : ''
}

function* picturesIn(part: Fields, type: string): Generator<Bit> {
  const named = [part.image_url, part.inlineData, part.inline_data, part.b64_json, ...listOf(part.images)]
  const typed = /image/.test(type) ? [part.source, part.result, part.image, part.url] : []
  for (const one of [...named, ...typed]) {
    const picture = pictureIn(one)
    if (picture) yield { picture }
  }
}

/** The longest base64 of one picture. */
export const longestPicture = 28 * 1024 * 1024

function pictureIn(value: unknown, mime?: string, depth = 3): Picture | undefined {
  if (typeof value === 'string') return isWebUrl(value) ? { url: value } : pictureOf(value, mime)
  if (depth === 0 || !hasFields(value)) return undefined
  const { url, image_url, b64_json, data, mimeType, mime_type, media_type } = value
  const declared = wordIn(mimeType, mime_type, media_type)
  for (const one of [url, image_url, b64_json, data]) {
    const picture = pictureIn(one, declared, depth - 1)
    if (picture) return picture
  }
  return undefined
}

/** @param text base64, also as a data URI @param mime the declared type; the bytes decide where they are known */
export function pictureOf(text: string, mime?: string): Picture | undefined {
  const bytes = text.length > longestPicture ? undefined : fromBase64(text)
  if (!bytes) return undefined
  const declared = /^data:([\w/.+-]{1,60})[;,]/.exec(text)?.[1] ?? mime
  const known = [mimeIn(bytes), declared].find((one) => one?.startsWith('image/'))
  return known === undefined ? undefined : { bytes, mime: known }
}

const cited = z.object({ url: z.url({ protocol: /^https?$/ }), title: z.string().nullish().catch(undefined) })

/** The links in annotations: directly, or under `url_citation` or `web`. */
export const sourcesIn = (annotations: unknown): Source[] =>
  listOf(annotations).flatMap((item) => {
    // Most pieces of an answer have no annotation, and a parse that fails is slow.
    if (!hasFields(item)) return []
    const web = fieldsOf(item.web)
    const found = [item.url_citation, { ...web, url: web.uri }, item].map((one) => cited.safeParse(one).data)
    const { url, title } = found.find(Boolean) ?? {}
    return url === undefined ? [] : [title ? { url, title } : { url }]
  })
