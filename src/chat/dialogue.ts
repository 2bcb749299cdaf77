// The part of a conversation that is sent to a model, and estimates of its size in tokens.

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Data URIs. */
  readonly images: readonly string[]
}

export interface Dialogue {
  readonly system: string | undefined
  readonly messages: readonly Said[]
  /** Estimate for the whole dialogue. */
  readonly tokens: number
}

/**
 * Only the vendor can count tokens. The estimate is on the safe side for holds, and it is billed when the gateway reports no usage:
 * about four bytes per token for English, two letters for Russian, one for Chinese.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3.5)

/** Roughly what vendors count for an image. */
const tokensOfImage = 1500

/** Roles, separators and other overhead per message. */
const tokensOfMessage = 8

const sizeOf = ({ text, images }: Said): number =>
  tokensIn(text) + images.length * tokensOfImage + tokensOfMessage

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
