// Body fields of `POST /v1/{native_vendor}/generateContent`, a "native pass-through of one vendor": the vendor's public fields, and
// `model`, which every request names.

import { z } from 'zod'

const anyObject = z.record(z.string(), z.unknown())

const part = z.union([
  z.strictObject({ text: z.string(), thought: z.boolean().optional() }),
  z.strictObject({
    inlineData: z.strictObject({
      mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
      data: z.base64().min(1),
    }),
  }),
  z.strictObject({ functionCall: z.strictObject({ name: z.string().min(1), args: anyObject }) }),
  z.strictObject({ functionResponse: z.strictObject({ name: z.string().min(1), response: anyObject }) }),
  z.strictObject({ fileData: z.strictObject({ mimeType: z.string().optional(), fileUri: z.url() }) }),
])

const contents = z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(part).min(1) })

export const nativeFields = z.strictObject({
  model: z.string(),
  contents: z.array(contents).min(1),
  systemInstruction: contents.optional(),
  generationConfig: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().min(0).max(1).optional(),
      topK: z.int().min(1).optional(),
      candidateCount: z.int().min(1).max(8).optional(),
      maxOutputTokens: z.int().min(1).optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      frequencyPenalty: z.number().optional(),
      presencePenalty: z.number().optional(),
      seed: z.int().optional(),
      responseMimeType: z.string().optional(),
      responseSchema: anyObject.optional(),
      responseModalities: z.array(z.enum(['TEXT', 'IMAGE', 'AUDIO'])).optional(),
      thinkingConfig: z
        .strictObject({ thinkingBudget: z.int().optional(), includeThoughts: z.boolean().optional() })
        .optional(),
    })
    .optional(),
  tools: z
    .array(
      z.union([
        z.strictObject({ codeExecution: z.strictObject({}) }),
        z.strictObject({ googleSearch: z.strictObject({}) }),
        z.strictObject({ functionDeclarations: z.array(anyObject) }),
      ]),
    )
    .optional(),
  toolConfig: anyObject.optional(),
  safetySettings: z.array(anyObject).optional(),
  cachedContent: z.string().optional(),
})

export type NativeBody = z.output<typeof nativeFields>
