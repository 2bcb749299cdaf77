// Answers of `POST /v1/{native_vendor}/generateContent`: one JSON body; the document names no streaming variant of it.

import type { NativeBody } from '../fields/native.ts'
import type { TextPersonality } from '../personality.ts'
import type { Said } from './said.ts'

type Fields = Record<string, unknown>

function usageOf({ tokens: { input, output } }: Said, way: TextPersonality['usage']): Fields {
  if (way === 'missing') return {}
  if (way === 'nulls') return { usageMetadata: null }
  if (way === 'partial') return { usageMetadata: { candidatesTokenCount: output } }
  return {
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  }
}

const codeParts: readonly Fields[] = [
  { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
]

export function nativeJson(said: Said, body: NativeBody, personality: TextPersonality): Fields {
  const runsCode = body.tools?.some((tool) => 'codeExecution' in tool) ?? false
  const thoughts = body.generationConfig?.thinkingConfig?.includeThoughts
    ? said.thoughts.map((text) => ({ text, thought: true }))
    : []
  const more =
    personality.extras === 'many'
      ? { safetyRatings: null, citationMetadata: null, groundingMetadata: {}, avgLogprobs: -0.1 }
      : {}
  const parts = [...thoughts, ...(runsCode ? codeParts : []), ...said.pieces.map((text) => ({ text }))]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...more }],
    modelVersion: said.model,
    ...usageOf(said, personality.usage),
  }
}
