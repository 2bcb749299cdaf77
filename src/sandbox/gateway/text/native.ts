// `POST /v1/gemini/generateContent`: the native path of the Gemini-style family, without streaming. gateway-api.md shows neither
// the vendor segment of the path (here `gemini`) nor where the model is named (here `model` in the body, as in the other formats)
// nor the answer. The fields are those of the vendor; those of the chat format are refused.

import { z } from 'zod'
import {
  type Ask,
  base64,
  check,
  jsonObject,
  modelIn,
  plain,
  type Reply,
  type Turn,
  textModelOf,
  toolName,
  type Usage,
} from './ask.ts'

export const nativePath = '/v1/gemini/generateContent'

const part = z
  .strictObject({
    text: z.string(),
    inlineData: z.strictObject({ mimeType: z.string(), data: base64 }),
    functionCall: z.strictObject({ name: toolName, args: jsonObject }),
    functionResponse: z.strictObject({ name: toolName, response: jsonObject }),
  })
  .partial()
const content = z.strictObject({
  role: z.enum(['user', 'model']).default('user'),
  parts: z.array(part).min(1),
})
type Content = z.output<typeof content>

const tool = z
  .strictObject({
    functionDeclarations: z.array(
      z.strictObject({
        name: toolName,
        description: z.string().optional(),
        parameters: jsonObject.optional(),
        parametersJsonSchema: jsonObject.optional(),
      }),
    ),
    codeExecution: z.strictObject({}),
    googleSearch: jsonObject,
    urlContext: jsonObject,
  })
  .partial()

const settings = z
  .strictObject({
    temperature: z.number().min(0).max(2),
    topP: z.number().min(0).max(1),
    topK: z.number().positive(),
    candidateCount: z.literal(1),
    maxOutputTokens: z.int().positive(),
    stopSequences: z.array(z.string()).max(5),
    seed: z.int(),
    presencePenalty: z.number().min(-2).max(2),
    frequencyPenalty: z.number().min(-2).max(2),
    responseLogprobs: z.boolean(),
    logprobs: z.int().min(0).max(20),
    responseMimeType: z.enum(['text/plain', 'application/json']),
    responseSchema: jsonObject,
    responseJsonSchema: jsonObject,
    thinkingConfig: jsonObject,
  })
  .partial()

const request = z.strictObject({
  model: z.string(),
  contents: z.array(content).min(1),
  systemInstruction: z.strictObject({ role: z.string().optional(), parts: z.array(part).min(1) }).optional(),
  generationConfig: settings.default({}),
  tools: z.array(tool).default([]),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.enum(['AUTO', 'NONE']).default('AUTO'),
      }),
    })
    .optional(),
  safetySettings: z.array(jsonObject).optional(),
})

/** @throws GatewayRefusal */
export function readNative(input: unknown): Ask {
  const model = textModelOf(['gemini'], modelIn(input), nativePath)
  const { contents, systemInstruction, generationConfig, tools, toolConfig } = check(request, input)
  const isOff = toolConfig?.functionCallingConfig.mode === 'NONE'
  const declared = isOff ? [] : tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  const system = systemInstruction
    ? [{ ...turnOf({ ...systemInstruction, role: 'user' }), role: 'system' as const }]
    : []
  return {
    ...plain,
    model,
    turns: [...system, ...contents.map(turnOf)],
    tools: declared.map((one) => ({
      name: one.name,
      parameters: one.parametersJsonSchema ?? one.parameters ?? {},
    })),
    maxTokens: generationConfig.maxOutputTokens,
    stop: generationConfig.stopSequences ?? [],
    json: generationConfig.responseMimeType === 'application/json',
    webSearch: tools.some(({ googleSearch }) => googleSearch !== undefined),
    code: tools.some(({ codeExecution }) => codeExecution !== undefined),
  }
}

const isSound = ({ mimeType }: { readonly mimeType: string }): boolean => mimeType.startsWith('audio/')

function turnOf({ role, parts }: { role: string; parts: Content['parts'] }): Turn {
  const answered = parts.some(({ functionResponse }) => functionResponse)
  return {
    role: answered ? 'system' : role === 'model' ? 'assistant' : 'user',
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ name: call.name, input: call.args }] : [])),
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    attachments: parts.filter(({ inlineData }) => inlineData && !isSound(inlineData)).length,
    sounds: parts.flatMap(({ inlineData }) => (inlineData && isSound(inlineData) ? [inlineData.data] : [])),
  }
}

export function nativeView(id: string, ask: Ask, reply: Reply, { input, output }: Usage) {
  const candidate = {
    content: { role: 'model', parts: partsOf(ask, reply) },
    finishReason: reply.ended === 'length' ? 'MAX_TOKENS' : 'STOP',
    index: 0,
    ...(reply.source ? { groundingMetadata: { groundingChunks: [{ web: sourceOf(reply.source) }] } } : {}),
  }
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }
  return { candidates: [candidate], usageMetadata, modelVersion: ask.model.id, responseId: id }
}

const sourceOf = ({ url, title }: NonNullable<Reply['source']>) => ({ uri: url, title })

function partsOf({ code }: Ask, { text, calls, ended }: Reply): object[] {
  if (ended === 'calls') return calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
  const run = [
    { executableCode: { language: 'PYTHON', code: 'print(6 * 7)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
  ]
  return [...(code ? run : []), { text }]
}
