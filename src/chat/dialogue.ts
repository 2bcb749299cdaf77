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

const hasFiles = ({ images, files = [] }: Pick<Said, 'images' | 'files'>): boolean =>
  images.length + files.length > 0

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

const sizeOf = ({ text, images, sounds, files, calls = [] }: Said): number =>
  mostTokensIn(text) +
  (calls.length > 0 ? mostTokensIn(JSON.stringify(calls)) : 0) +
  images.length * tokensOfImage +
  tokensOf(sounds) +
  tokensOf(files) +
  tokensOfMessage

const tokensOf = (files: readonly { readonly tokens: number }[] = []): number =>
  files.reduce((sum, { tokens }) => sum + tokens, 0)

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
    const forms = hasFiles(said) ? [said, withoutFiles(said)] : [said]
    const fitting = forms.find((form) => tokens + sizeOf(form) <= budget)
    if (!fitting) break
    tokens += sizeOf(fitting)
    kept.unshift(fitting)
  }
  const [first] = kept
  if (first && first !== question && first.role === 'assistant') {
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
  tokensIn(family, [system, ...messages.map(inWords)].join('\n')) +
  messages.reduce(
    (sum, { images, sounds, files }) => sum + images.length * ofImage + tokensOf(sounds) + tokensOf(files),
    0,
  )

/** The kinds of files that decide about the operation. */
export function kindsIn({ messages }: Dialogue): readonly FileKind[] {
  const has = (name: 'sounds' | 'files') => messages.some((said) => (said[name] ?? []).length > 0)
  return [...(has('sounds') ? ['audio' as const] : []), ...(has('files') ? ['pdf' as const] : [])]
}
