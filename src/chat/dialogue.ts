// A conversation as it is sent to a model: what was said before, as much of it as there is room for.

import { tokensIn, tokensOfImage, tokensOfMessage } from './tokens.ts'

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Data URIs. */
  readonly images: readonly string[]
}

export interface Dialogue {
  readonly system: string | undefined
  readonly messages: readonly Said[]
  /** Estimated, of all of it. */
  readonly tokens: number
}

const sizeOf = ({ text, images }: Said): number =>
  tokensIn(text) + images.length * tokensOfImage + tokensOfMessage

/**
 * The question with as much of the past as the budget allows, the newest first; a conversation begins with a question.
 * @param budget tokens; the question itself is kept even when it alone is larger
 */
export function assemble(
  system: string | undefined,
  past: readonly Said[],
  question: Said,
  budget: number,
): Dialogue {
  let tokens = sizeOf(question) + (system ? tokensIn(system) + tokensOfMessage : 0)
  const kept: Said[] = [question]
  for (const said of past.toReversed()) {
    const size = sizeOf(said)
    if (tokens + size > budget) break
    tokens += size
    kept.unshift(said)
  }
  const [first] = kept
  if (first && first !== question && first.role === 'assistant') {
    tokens -= sizeOf(first)
    kept.shift()
  }
  return { system, messages: kept, tokens }
}
