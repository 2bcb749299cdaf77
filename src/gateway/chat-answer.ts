// The answer of a text model, independent of the format. gateway-api.md shows only where the text is; usage, finish reason and tool
// calls are read where clients of each format expect them, and are undefined otherwise.

import { z } from 'zod'

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

/** The facts that are known at the end of an answer. */
export interface ChatEnd {
  readonly usage?: Usage
  /** The finish reason, as the format names it. */
  readonly finish?: string
  readonly toolCalls?: readonly ToolCall[]
  /** Sources of a web search. */
  readonly sources?: readonly Source[]
}

export interface Source {
  readonly url: string
  readonly title?: string
}

export interface ChatAnswer extends ChatEnd {
  readonly text: string
  /** The thinking, where the format separates it from the answer. */
  readonly thinking?: string
  /** The parsed body. */
  readonly raw: unknown
}

const count = z.int().nonnegative().optional().catch(undefined)
const counts = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
})

/** The usage; undefined unless both numbers are known, since an unknown number is not zero. */
function usageOf(raw: unknown): Usage | undefined {
  const { data } = counts.safeParse(raw)
  if (!data) return undefined
  const inputTokens = data.prompt_tokens ?? messagesInput(data) ?? data.promptTokenCount
  const outputTokens = chatOutput(data) ?? data.output_tokens ?? nativeOutput(data)
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

const source = z
  .object({ url: z.url({ protocol: /^https?$/ }), title: z.string().nullish().catch(undefined) })
  .transform(({ url, title }): Source => (title ? { url, title } : { url }))

/** The links in annotations: directly, or under `url_citation` or `web`. */
export function sourcesIn(annotations: unknown): Source[] {
  const items: readonly unknown[] = Array.isArray(annotations) ? annotations : []
  return items.flatMap((item) => {
    const inner = z.object({ url_citation: z.unknown() }).safeParse(item).data?.url_citation
    const web = z.object({ web: z.object({ uri: z.string(), title: z.unknown() }) }).safeParse(item).data?.web
    const parsed = source.safeParse(web ? { url: web.uri, title: web.title } : (inner ?? item))
    return parsed.success ? [parsed.data] : []
  })
}

type Counts = z.output<typeof counts>

/** The messages format counts cached tokens separately. */
function messagesInput(data: Counts): number | undefined {
  if (data.input_tokens === undefined) return undefined
  return data.input_tokens + (data.cache_creation_input_tokens ?? 0) + (data.cache_read_input_tokens ?? 0)
}

/** Some vendors of chat completions count thinking in the total alone. */
function chatOutput(data: Counts): number | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = data
  if (input === undefined || output === undefined || total === undefined) return output
  return Math.max(output, total - input)
}

/** The native format counts thinking separately. */
function nativeOutput(data: Counts): number | undefined {
  if (data.candidatesTokenCount === undefined) return data.thoughtsTokenCount
  return data.candidatesTokenCount + (data.thoughtsTokenCount ?? 0)
}

export function endOf(
  usage: unknown,
  finish: string | null | undefined,
  toolCalls: readonly ToolCall[],
  sources: readonly Source[] = [],
): ChatEnd {
  const known = usageOf(usage)
  const links = [...new Map(sources.map((source) => [source.url, source])).values()]
  return {
    ...(links.length > 0 ? { sources: links } : {}),
    ...(known ? { usage: known } : {}),
    ...(finish ? { finish } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  }
}
