// The part of a conversation that is sent to a model, and estimates of its size in tokens.

import type { Family } from '../catalog/text-fields.ts'
import type { FileKind } from '../catalog/text-modes.ts'
import { mostTokensIn, tokensIn } from './tokens.ts'

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly images: readonly string[]
  readonly sounds?: readonly Sound[]
  readonly files?: readonly NativeFile[]
  /** The cards that an answer proposed, as calls of functions with their results. */
  readonly calls?: readonly PastCall[]
}

export interface PastCall {
  /** Nine letters and digits: a family takes no other ids. */
  readonly id: string
  readonly name: string
  readonly input: { readonly prompt: string }
  readonly result: {
    readonly outcome: 'proposed' | 'declined' | 'ordered' | 'delivered' | 'failed'
    /** The words that the user put in place of the proposed ones. */
    readonly prompt?: string
  }
}

/** The text of an answer with its function calls written out, for requests that take no function calls. */
export const inWords = ({ text, calls = [] }: Said): string =>
  [text, ...calls.map(({ name, input, result }) => `[${name}: ${JSON.stringify({ ...input, ...result })}]`)]
    .filter(Boolean)
    .join('\n\n')

/** A past message whose files are not sent. The model is told, so that it does not invent them. */
export const withoutFiles = ({ files: _, ...said }: Said): Said => ({
  ...said,
  text: [said.text, '[The file of this message is not attached any more.]'].filter(Boolean).join('\n\n'),
  images: [],
})

/** A sound in a format that models take. */
export interface Sound {
  readonly format: 'wav' | 'mp3' | 'aac'
  /** Base64; empty while only a price is estimated. */
  readonly data: string
  /** About what a vendor counts for it. */
  readonly tokens: number
}

/** A PDF or a video, as a part of the native pass-through. */
export interface NativeFile {
  readonly mime: string
  /** Base64, or a link to our server; both are missing while only a price is estimated. */
  readonly data?: string
  readonly uri?: string
  /** About what a vendor counts for it. */
  readonly tokens: number
}

export interface Dialogue {
  readonly system: string | undefined
  readonly messages: readonly Said[]
  /** An estimate for the whole dialogue, not below the vendor's count. */
  readonly tokens: number
}

/** Roughly what vendors count for an image. */
const tokensOfImage = 1500
/** About the least that vendors count for an image. */
const billedForImage = 256

/** Roles, separators and other overhead per message. */
const tokensOfMessage = 8

const sizeOf = (said: Said): number =>
  mostTokensIn(said.text) +
  mostTokensIn(said.calls ? JSON.stringify(said.calls) : '') +
  tokensOfFiles(said, tokensOfImage) +
  tokensOfMessage

const tokensOfFiles = ({ images, sounds = [], files = [] }: Said, ofImage: number): number =>
  [...sounds, ...files].reduce((sum, { tokens }) => sum + tokens, images.length * ofImage)

/**
 * The question and as many of the newest past messages as the budget allows. A dialogue always starts with a question.
 * @param budget tokens; the question is kept even when it exceeds the budget alone
 */
export function assemble(
  system: string | undefined,
  past: readonly Said[],
  question: Said,
  budget: number,
): Dialogue {
  let tokens = sizeOf(question) + (system ? mostTokensIn(system) + tokensOfMessage : 0)
  const kept: Said[] = [question]
  for (const said of past.toReversed()) {
    const fitting = [said, withoutFiles(said)].find((form) => tokens + sizeOf(form) <= budget)
    if (!fitting) break
    tokens += sizeOf(fitting)
    kept.unshift(fitting)
  }
  const [first] = kept
  if (first?.role === 'assistant') {
    tokens -= sizeOf(first)
    kept.shift()
  }
  return { system, messages: kept, tokens }
}

/** The tokens that are billed for a dialogue whose usage was not reported. */
export const billedTokens = (family: Family, dialogue: Dialogue): number =>
  tokensWith(family, dialogue, billedForImage)

export const usualTokens = (family: Family, dialogue: Dialogue): number =>
  tokensWith(family, dialogue, tokensOfImage)

const tokensWith = (family: Family, { system = '', messages }: Dialogue, ofImage: number): number =>
  messages.reduce(
    (sum, said) => sum + tokensOfFiles(said, ofImage),
    tokensIn(family, [system, ...messages.map(inWords)].join('\n')),
  )

/** The kinds of files that decide about the operation. */
export const kindsIn = ({ messages }: Dialogue): readonly FileKind[] =>
  messages.flatMap(({ sounds = [], files = [] }): FileKind[] => [
    ...sounds.map(() => 'audio' as const),
    ...files.map(() => 'pdf' as const),
  ])
