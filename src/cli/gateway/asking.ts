// Asks a text model one short question in each of its modes, without the app: a test of how each mode is asked for. It costs money.

import { leastOutput, type TextModel, tokenPrice } from '../../catalog/text-models.ts'
import { leastWithThinking, modesOf, noModes, sentModes } from '../../catalog/text-modes.ts'
import type { ChatRequest } from '../../chat/bodies.ts'
import { streamOf } from '../../chat/reading.ts'
import type { Gateway } from '../../gateway/client.ts'
import { asGatewayError } from '../../gateway/errors.ts'
import { ceilKopecks, type Kopecks } from '../../money.ts'
import { type Print, withCause } from './buying.ts'

const question = 'Reply with one word: hello.'
const questionTokens = 100
const longestAnswerMs = 120_000

function requestsTo(model: TextModel): readonly { readonly name: string; readonly request: ChatRequest }[] {
  const wanted = [undefined, ...modesOf(model)].map((mode) => ({
    name: mode ?? 'plain',
    modes: sentModes(model, mode ? { ...noModes, [mode]: true } : noModes),
  }))
  return wanted.map(({ name, modes }) => {
    const messages = [{ role: 'user' as const, text: question, images: [] }]
    const dialogue = { system: undefined, messages, tokens: questionTokens }
    const maxOutput = modes.thinking ? leastWithThinking : leastOutput
    return { name, request: { model, modes, maxOutput, tools: [], dialogue } }
  })
}

/** The most that the tokens of all questions cost at the gateway; undefined without rates. */
export function mostCost(model: TextModel): Kopecks | undefined {
  const all = requestsTo(model).map(({ request }) => request)
  const output = all.reduce((sum, { maxOutput }) => sum + maxOutput, 0)
  const exact = tokenPrice({ ...model, multiplier: '1' }, { input: questionTokens * all.length, output })
  return exact && ceilKopecks(exact)
}

export async function askAll(gateway: Gateway, model: TextModel, print: Print): Promise<void> {
  for (const { name, request } of requestsTo(model)) {
    const words: string[] = []
    try {
      for await (const piece of streamOf(gateway, request, AbortSignal.timeout(longestAnswerMs)))
        if ('text' in piece) words.push(piece.text)
      const text = words.join('').replaceAll(/\s+/g, ' ').slice(0, 200)
      print(text === '' ? 'FAILED' : 'ok', `${name}: ${text || 'the answer has no text'}`)
    } catch (error) {
      print('FAILED', `${name}: ${withCause(asGatewayError(error))}`)
    }
  }
}
