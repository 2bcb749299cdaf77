// Reading a whole answer of each text format. Source: gateway-api.md, "Chat and text operations", the reading paths.

import { z } from 'zod'
import { type ChatAnswer, endOf, type ToolCall } from './chat-answer.ts'

/** Undefined when the body is no answer of the format. */
export type ReadAnswer = (body: unknown) => ChatAnswer | undefined

const some = z.string().nullish().catch(undefined)
const words = z.string().catch('')
const usage = z.unknown().optional()

/** The items that fit, without those that do not: formats grow new ones. */
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

const list = z.array(z.unknown())
const asJson = (input: unknown) => JSON.stringify(input ?? {})

const chatCall = z.object({
  id: words,
  function: z.object({ name: z.string(), arguments: words }),
})
const chatMessage = z.object({
  content: z.union([z.string(), list, z.null()]).optional(),
  tool_calls: list.nullish().catch(undefined),
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
  const { content } = message
  const text = typeof content === 'string' ? content : textIn(content)
  return { text, ...endOf(data.usage, finish_reason, calls), raw }
}

const toolUse = z.object({ type: z.literal('tool_use'), id: words, name: z.string(), input: z.unknown() })
const messagesBody = z.object({ content: list, stop_reason: some, usage })

export const readMessages: ReadAnswer = (raw) => {
  const { data } = messagesBody.safeParse(raw)
  if (!data) return undefined
  const calls = itemsOf(toolUse, data.content).map(
    ({ id, name, input }): ToolCall => ({ id, name, arguments: asJson(input) }),
  )
  return { text: textIn(data.content), ...endOf(data.usage, data.stop_reason, calls), raw }
}

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
  return { text: data.output_text ?? spoken.join(''), ...endOf(data.usage, data.status, calls), raw }
}

const nativeCall = z.object({ functionCall: z.object({ name: z.string(), args: z.unknown(), id: words }) })
const nativeBody = z.object({
  candidates: z.tuple(
    [z.object({ content: z.object({ parts: list.nullish() }).optional(), finishReason: some })],
    z.unknown(),
  ),
  usageMetadata: usage,
})

export const readNative: ReadAnswer = (raw) => {
  const { data } = nativeBody.safeParse(raw)
  if (!data) return undefined
  const { content, finishReason } = data.candidates[0]
  const calls = itemsOf(nativeCall, content?.parts).map(
    ({ functionCall: { id, name, args } }): ToolCall => ({ id, name, arguments: asJson(args) }),
  )
  return { text: textIn(content?.parts), ...endOf(data.usageMetadata, finishReason, calls), raw }
}
