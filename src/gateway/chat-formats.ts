// Reads a complete answer of each text format. Source: gateway-api.md, "Chat and text operations", the reading paths.

import { z } from 'zod'
import { type ChatAnswer, endOf, sourcesIn, type ToolCall } from './chat-answer.ts'

/** Reads the body of an answer; undefined when it is not an answer of the format. */
export type ReadAnswer = (body: unknown) => ChatAnswer | undefined

const some = z.string().nullish().catch(undefined)
const words = z.string().catch('')
const usage = z.unknown().optional()

/** The items of a known shape. Items of other shapes are ignored, because formats are extended. */
const itemsOf = <T>(schema: z.ZodType<T>, items: readonly unknown[] | null | undefined): T[] =>
  (items ?? []).flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })

const textPart = z.object({ text: z.string(), thought: z.boolean().optional().catch(undefined) })
const textIn = (parts: readonly unknown[] | null | undefined): string =>
  itemsOf(textPart, parts)
    .filter(({ thought }) => !thought)
    .map(({ text }) => text)
    .join('')

/** The thinking; each format marks its parts differently. */
const thoughtPart = z.union([
  z.object({ thought: z.literal(true), text: z.string() }).transform(({ text }) => text),
  z.object({ type: z.literal('thinking'), thinking: z.string() }).transform(({ thinking }) => thinking),
  z.object({ type: z.literal('summary_text'), text: z.string() }).transform(({ text }) => text),
])
const thinkingIn = (parts: readonly unknown[] | null | undefined) => {
  const thinking = itemsOf(thoughtPart, parts).join('')
  return thinking ? { thinking } : {}
}

const list = z.array(z.unknown())
const asJson = (input: unknown) => JSON.stringify(input ?? {})

const chatCall = z.object({
  id: words,
  function: z.object({ name: z.string(), arguments: words }),
})
const chatMessage = z.object({
  content: z.union([z.string(), list, z.null()]).optional(),
  tool_calls: list.nullish().catch(undefined),
  reasoning_content: some,
  annotations: z.unknown().optional(),
})
const chatBody = z.object({
  choices: z.tuple([z.object({ message: chatMessage, finish_reason: some })], z.unknown()),
  usage,
})

export const readChat: ReadAnswer = (raw) => {
  const { data } = chatBody.safeParse(raw)
  if (!data) return undefined
  const { message, finish_reason } = data.choices[0]
  const calls = itemsOf(chatCall, message.tool_calls).map(
    (one): ToolCall => ({ id: one.id, ...one.function }),
  )
  const { content, reasoning_content: thinking, annotations } = message
  const text = typeof content === 'string' ? content : textIn(content)
  const end = endOf(data.usage, finish_reason, calls, sourcesIn(annotations))
  return { text, ...(thinking ? { thinking } : {}), ...end, raw }
}

const toolUse = z.object({ type: z.literal('tool_use'), id: words, name: z.string(), input: z.unknown() })
const messagesBody = z.object({ content: list, stop_reason: some, usage })

export const readMessages: ReadAnswer = (raw) => {
  const { data } = messagesBody.safeParse(raw)
  if (!data) return undefined
  const calls = itemsOf(toolUse, data.content).map(
    ({ id, name, input }): ToolCall => ({ id, name, arguments: asJson(input) }),
  )
  const end = endOf(data.usage, data.stop_reason, calls, citedIn(data.content, 'citations'))
  return { text: textIn(data.content), ...thinkingIn(data.content), ...end, raw }
}

/** The sources that the parts of a text cite. */
const citedIn = (parts: readonly unknown[] | null | undefined, name: string) =>
  itemsOf(z.object({ [name]: list }), parts).flatMap((part) => sourcesIn(part[name]))

const outputMessage = z.object({ type: z.literal('message').optional(), content: list })
export const functionCall = z.object({
  type: z.literal('function_call'),
  call_id: words,
  name: z.string(),
  arguments: words,
})
const responsesBody = z
  .object({ output_text: some, output: list.nullish(), status: some, usage })
  .refine(({ output_text, output, status }) => status !== 'failed' && (output_text ?? output) != null)

/** The sources that an output cites. Used also for a stream, whose last event contains the complete output. */
export const citedInOutput = (output: readonly unknown[] | null | undefined) =>
  itemsOf(outputMessage, output).flatMap(({ content }) => citedIn(content, 'annotations'))

const reasoning = z.object({ type: z.literal('reasoning'), summary: list })

export const callOf = ({ call_id, name, ...rest }: z.output<typeof functionCall>): ToolCall => ({
  id: call_id,
  name,
  arguments: rest.arguments,
})

export const readResponses: ReadAnswer = (raw) => {
  const { data } = responsesBody.safeParse(raw)
  if (!data) return undefined
  const spoken = itemsOf(outputMessage, data.output).map(({ content }) => textIn(content))
  const calls = itemsOf(functionCall, data.output).map(callOf)
  const cited = citedInOutput(data.output)
  const thought = itemsOf(reasoning, data.output).flatMap(({ summary }) => summary)
  const end = endOf(data.usage, data.status, calls, cited)
  return { text: data.output_text ?? spoken.join(''), ...thinkingIn(thought), ...end, raw }
}

/** Executed code and its output are part of the answer. */
const nativeText = z.union([
  z
    .object({ executableCode: z.object({ code: z.string(), language: words }) })
    .transform(
      ({ executableCode: { code, language } }) =>
        `\n\`\`\`${language.toLowerCase()}\n${code.trimEnd()}\n\`\`\`\n`,
    ),
  z
    .object({ codeExecutionResult: z.object({ output: words }) })
    .transform(({ codeExecutionResult: { output } }) => `\n\`\`\`\n${output.trimEnd()}\n\`\`\`\n`),
  textPart.transform(({ text, thought }) => (thought ? '' : text)),
])

const nativeCall = z.object({ functionCall: z.object({ name: z.string(), args: z.unknown(), id: words }) })
const nativeBody = z.object({
  candidates: z.tuple(
    [
      z.object({
        content: z.object({ parts: list.nullish() }).optional(),
        finishReason: some,
        groundingMetadata: z.object({ groundingChunks: list }).optional().catch(undefined),
      }),
    ],
    z.unknown(),
  ),
  usageMetadata: usage,
})

export const readNative: ReadAnswer = (raw) => {
  const { data } = nativeBody.safeParse(raw)
  if (!data) return undefined
  const { content, finishReason, groundingMetadata } = data.candidates[0]
  const calls = itemsOf(nativeCall, content?.parts).map(
    ({ functionCall: { id, name, args } }): ToolCall => ({ id, name, arguments: asJson(args) }),
  )
  const text = itemsOf(nativeText, content?.parts).join('')
  const sources = sourcesIn(groundingMetadata?.groundingChunks)
  return {
    text,
    ...thinkingIn(content?.parts),
    ...endOf(data.usageMetadata, finishReason, calls, sources),
    raw,
  }
}
