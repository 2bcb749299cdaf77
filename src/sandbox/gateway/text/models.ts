// The text models of the local gateway, one of each family that gateway-api.md distinguishes. It shows neither their ids nor their prices,
// so both are chosen here; the prices are of the usual magnitude.

import { GatewayRefusal } from '../answer.ts'

type Family = 'assistant' | 'gemini' | 'gpt' | 'grok' | 'deepseek' | 'mistral' | 'minimax'

export interface TextModel {
  readonly id: string
  readonly family: Family
  /** Roubles per million tokens. */
  readonly rates: { readonly input: string; readonly output: string }
}

export const textModels: readonly TextModel[] = [
  { id: 'TEXT-ASSISTANT', family: 'assistant', rates: { input: '390', output: '1950' } },
  { id: 'TEXT-GEMINI', family: 'gemini', rates: { input: '165', output: '1320' } },
  { id: 'TEXT-GPT', family: 'gpt', rates: { input: '165', output: '1320' } },
  { id: 'TEXT-GROK', family: 'grok', rates: { input: '396', output: '1980' } },
  { id: 'TEXT-DEEPSEEK', family: 'deepseek', rates: { input: '36.98', output: '55.46' } },
  { id: 'TEXT-MISTRAL', family: 'mistral', rates: { input: '52.82', output: '264.1' } },
  { id: 'TEXT-MINIMAX', family: 'minimax', rates: { input: '39.62', output: '158.46' } },
]

/** @throws GatewayRefusal */
export function textModel(id: string): TextModel {
  const found = textModels.find((model) => model.id === id)
  if (found) return found
  throw new GatewayRefusal(404, 'unknown_model', `no text model "${id}"`)
}

/** @throws GatewayRefusal when the model belongs to none of these families */
export function textModelOf(families: readonly Family[], id: string, path: string): TextModel {
  const model = textModel(id)
  if (families.includes(model.family)) return model
  throw new GatewayRefusal(400, 'unsupported_model', `the model "${id}" does not work on ${path}`)
}

const withoutWebSearch: readonly Family[] = ['deepseek', 'mistral', 'minimax']

/** @throws GatewayRefusal */
export function checkWebSearch({ id, family }: TextModel, isWanted: boolean): void {
  if (!isWanted || !withoutWebSearch.includes(family)) return
  throw new GatewayRefusal(400, 'unsupported_tool', `web search is not supported for the model "${id}"`)
}
