// `POST /v1/gemini/generateContent`: the native path of the Gemini-style family, without streaming. gateway-api.md shows neither the vendor
// segment of the path (here `gemini`) nor where the model is named (here `model` in the body) nor the answer. The fields are those of the
// vendor; those of the chat format are refused.

import { z } from 'zod'
import { type Ask, type Bit, check, type Reply, turnOf } from './ask.ts'
import {
  asFile,
  base64,
  type Format,
  functionShape,
  type Head,
  name,
  object,
  tokenLimit,
  withResults,
} from './formats.ts'

export const nativePath = '/v1/gemini/generateContent'

const inlineData = z.strictObject({ mimeType: z.string(), data: base64 })
const nativePart = z.union([
  z.strictObject({ text: z.string() }),
  z
    .strictObject({ inlineData })
    .transform(
      ({ inlineData: { mimeType, data } }): Bit =>
        mimeType.startsWith('audio/') ? { sound: data } : asFile(),
    ),
  z.strictObject({ fileData: z.strictObject({ mimeType: z.string(), fileUri: z.url() }) }).transform(asFile),
  z
    .strictObject({ functionCall: z.strictObject({ name, args: object }) })
    .transform(({ functionCall: { name, args } }): Bit => ({ call: { id: name, name, input: args } })),
  z
    .strictObject({ functionResponse: z.strictObject({ name, response: object }) })
    .transform((one): Bit => ({ result: one.functionResponse.name })),
])
const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(nativePart).min(1) })
const nativeTool = z
  .strictObject({
    functionDeclarations: z.array(z.strictObject(functionShape)),
    codeExecution: z.strictObject({}),
    googleSearch: z.strictObject({}),
  })
  .partial()
const nativeSettings = z.object({
  maxOutputTokens: tokenLimit.optional(),
  temperature: z.number().min(0).max(2).optional(),
  responseMimeType: z.string().optional(),
})
const takenSettings =
  'topP topK candidateCount seed stopSequences presencePenalty frequencyPenalty responseSchema thinkingConfig'
const nativeRequest = z.object({
  model: z.string(),
  contents: z.array(content).min(1),
  systemInstruction: content.omit({ role: true }).optional(),
  generationConfig: object.default({}),
  tools: z.array(nativeTool).default([]),
})

function readNative(input: unknown): Ask {
  const body = check(nativeRequest, input, 'safetySettings toolConfig cachedContent')
  const { contents, systemInstruction: system, tools } = body
  const config = check(nativeSettings, body.generationConfig, takenSettings)
  const turns = contents.map(({ role, parts }) => turnOf(role === 'model' ? 'assistant' : 'user', parts))
  return {
    turns: [...(system ? [turnOf('system', system.parts)] : []), ...withResults(turns)],
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    maxTokens: config.maxOutputTokens,
    json: config.responseMimeType === 'application/json',
    modes: [
      ...(tools.some(({ googleSearch }) => googleSearch) ? ['search' as const] : []),
      ...(tools.some(({ codeExecution }) => codeExecution) ? ['code' as const] : []),
    ],
    tellsUsage: true,
  }
}

function writeNative(
  { id, model, input, output }: Head,
  { modes }: Ask,
  { text, calls, ended, source }: Reply,
) {
  const run = [
    { executableCode: { language: 'PYTHON', code: 'print(6 * 7)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
  ]
  const said = [...(modes.includes('code') ? run : []), { text }]
  const called = calls.map(({ name, input: args }) => ({ functionCall: { name, args } }))
  const web = source && { uri: source.url, title: source.title }
  const candidate = {
    content: { role: 'model', parts: ended === 'calls' ? called : said },
    finishReason: ended === 'length' ? 'MAX_TOKENS' : 'STOP',
    index: 0,
    groundingMetadata: web && { groundingChunks: [{ web }] },
  }
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }
  return { candidates: [candidate], usageMetadata, modelVersion: model, responseId: id }
}

export const native: Format<object> = { families: ['gemini'], read: readNative, write: writeNative }
