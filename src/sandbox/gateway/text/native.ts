// `POST /v1/gemini/generateContent`: the native path of the Gemini-style family, without streaming. gateway-api.md shows neither the vendor
// segment of the path (here `gemini`) nor where the model is named (here `model` in the body) nor the answer. The fields are those of the
// vendor; those of the chat format are refused.

import { z } from 'zod'
import {
  type Ask,
  base64,
  check,
  functionShape,
  type Head,
  jsonObject,
  plain,
  type Reply,
  type Turn,
  textModelIn,
  tokenLimit,
  toolName,
  type Usage,
} from './ask.ts'

export const nativePath = '/v1/gemini/generateContent'

const part = z
  .strictObject({
    text: z.string(),
    inlineData: z.strictObject({ mimeType: z.string(), data: base64 }),
    fileData: z.strictObject({ mimeType: z.string(), fileUri: z.url() }),
    functionCall: z.strictObject({ name: toolName, args: jsonObject }),
    functionResponse: z.strictObject({ name: toolName, response: jsonObject }),
  })
  .partial()
const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) })
const tool = z
  .strictObject({
    functionDeclarations: z.array(z.strictObject(functionShape)),
    codeExecution: z.strictObject({}),
    googleSearch: z.strictObject({}),
  })
  .partial()
const settings = z.object({
  maxOutputTokens: tokenLimit.optional(),
  temperature: z.number().min(0).max(2).optional(),
  responseMimeType: z.string().optional(),
})
const takenSettings =
  'topP topK candidateCount seed stopSequences presencePenalty frequencyPenalty responseSchema thinkingConfig'

const request = z.object({
  model: z.string(),
  contents: z.array(content).min(1),
  systemInstruction: content.omit({ role: true }).optional(),
  generationConfig: jsonObject.default({}),
  tools: z.array(tool).default([]),
})

/** @throws GatewayRefusal */
export function readNative(input: unknown): Ask {
  const model = textModelIn(input, nativePath, ['gemini'])
  const body = check(request, input, 'safetySettings toolConfig cachedContent')
  const { contents, systemInstruction: system, tools } = body
  const config = check(settings, body.generationConfig, takenSettings)
  return {
    ...plain,
    model,
    turns: [...(system ? [turnOf('system', system.parts)] : []), ...contents.map(turnOfContent)],
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    maxTokens: config.maxOutputTokens,
    json: config.responseMimeType === 'application/json',
    webSearch: tools.some(({ googleSearch }) => googleSearch),
    code: tools.some(({ codeExecution }) => codeExecution),
  }
}

const turnOfContent = ({ role, parts }: z.output<typeof content>): Turn =>
  turnOf(role === 'model' ? 'assistant' : 'user', parts)

const isSound = ({ mimeType }: { readonly mimeType: string }): boolean => mimeType.startsWith('audio/')

function turnOf(role: Turn['role'], parts: readonly z.output<typeof part>[]): Turn {
  const answered = parts.some(({ functionResponse }) => functionResponse)
  return {
    role: answered ? 'system' : role,
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ name: call.name, input: call.args }] : [])),
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    attachments: parts.filter(({ inlineData, fileData }) => fileData ?? (inlineData && !isSound(inlineData)))
      .length,
    sounds: parts.flatMap(({ inlineData }) => (inlineData && isSound(inlineData) ? [inlineData.data] : [])),
  }
}

export function nativeView({ id }: Head, ask: Ask, reply: Reply, { input, output }: Usage) {
  const { source, ended } = reply
  const web = source && { uri: source.url, title: source.title }
  const candidate = {
    content: { role: 'model', parts: partsOf(ask, reply) },
    finishReason: ended === 'length' ? 'MAX_TOKENS' : 'STOP',
    index: 0,
    ...(web ? { groundingMetadata: { groundingChunks: [{ web }] } } : {}),
  }
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }
  return { candidates: [candidate], usageMetadata, modelVersion: ask.model.id, responseId: id }
}

function partsOf({ code }: Ask, { text, calls, ended }: Reply): object[] {
  if (ended === 'calls') return calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
  const run = [
    { executableCode: { language: 'PYTHON', code: 'print(6 * 7)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
  ]
  return [...(code ? run : []), { text }]
}
