// Orders at the gateway without the app, as a test of the gateway: the least request of a media model, or a short question to a text model in
// each of its modes. It costs money.

import type { Catalog, Price } from '../../catalog/catalog.ts'
import type { Answers } from '../../catalog/field.ts'
import { callbackStandIn } from '../../catalog/media.ts'
import type { Model } from '../../catalog/model.ts'
import { leastOutput, type TextModel, tokenPrice } from '../../catalog/text-models.ts'
import { leastWithThinking, modesOf, noModes, sentModes } from '../../catalog/text-modes.ts'
import type { ChatRequest } from '../../chat/bodies.ts'
import { streamOf } from '../../chat/reading.ts'
import type { Config } from '../../config.ts'
import type { Gateway, GatewayFile, GatewayTask } from '../../gateway/client.ts'
import {
  asGatewayError,
  GatewayError,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../../gateway/errors.ts'
import { ceilKopecks, formatRoubles, type Kopecks } from '../../money.ts'
import type { Clock } from '../../runtime/clock.ts'
import { withCause } from '../doctor/gateway.ts'

export type Print = (verdict: 'ok' | 'note' | 'FAILED', what: string) => void

const words = 'Hello from the gateway check.'
const cheapModel = 'MODEL-SPEECH-TURBO'
const longestGenerationMs = 15 * 60_000

export interface Offer {
  readonly model: Model
  readonly body: Record<string, unknown>
  readonly price: Price
}

/** Minimal answers: the fields that are asked for, and a voice if the operator lists voices. */
function minimalAnswers(catalog: Catalog, model: Model): Answers {
  const answers = model.fields.flatMap((field): [string, string][] => {
    if (field.kind !== 'text') return []
    if (field.audience === 'asked') return [[field.name, words]]
    const [voice] = field.source === 'voices' ? catalog.voices(model) : []
    return voice ? [[field.name, voice.value]] : []
  })
  return Object.fromEntries(answers)
}

/** A minimal request; undefined when the settings give no valid request. */
export function requestFor(catalog: Catalog, model: Model): Record<string, unknown> | undefined {
  return catalog.request(model, minimalAnswers(catalog, model))
}

/** The cheapest offer whose request needs no callback address, since no app listens here. */
export function cheapest(all: readonly Offer[]): Offer | undefined {
  const offers = all.filter(({ body }) => !Object.values(body).includes(callbackStandIn))
  const byPrice = offers.toSorted((a, b) => Number(a.price.gatewayCost - b.price.gatewayCost))
  return offers.find(({ model }) => model.id === cheapModel) ?? byPrice[0]
}

interface Buying {
  readonly config: Config
  readonly gateway: Gateway
  readonly catalog: Catalog
  readonly clock: Clock
  readonly print: Print
}

export async function spend({ print, ...buying }: Buying, { model, body, price }: Offer): Promise<void> {
  const { gateway, catalog } = buying
  print('note', `spending ${formatRoubles(price.gatewayCost)} on ${model.id}`)
  const created = await gateway.create(catalog.path(model), body).catch(asGatewayError)
  if (created instanceof GatewayError) return print('FAILED', withCause(created))
  if (created.kind === 'done') return printResults(print, created.files)
  const task = await poll(buying, created.id).catch(asGatewayError)
  if (task instanceof GatewayError) return print('FAILED', withCause(task))
  if (task.status === 'completed')
    return printResults(
      print,
      task.urls.map((url) => ({ url })),
    )
  print('FAILED', `the task is ${task.status}: ${task.error ?? 'no reason is given'}`)
}

function printResults(print: Print, results: readonly GatewayFile[]): void {
  if (results.length === 0) print('FAILED', 'it is completed without a result')
  for (const result of results) {
    // The link is printed without its signature, which gives access to the file.
    print('ok', 'url' in result ? `a link: ${result.url.replace(/[?#].*/s, '')}` : sizeOf(result))
  }
}

const sizeOf = ({ bytes, mime }: { bytes: Buffer; mime: string }) => `${bytes.length} bytes of ${mime}`

/** @throws GatewayError */
async function poll({ config, gateway, clock }: Omit<Buying, 'print'>, id: string): Promise<GatewayTask> {
  const deadline = clock.now().getTime() + longestGenerationMs
  for (;;) {
    const task = await gateway.readTask(id).catch(asGatewayError)
    const isOver = clock.now().getTime() > deadline
    if (task instanceof GatewayError) {
      const mayPass = task instanceof GatewayUnavailable || task instanceof GatewayUnknownOutcome
      if (!mayPass || isOver) throw task
    } else if (isOver || (task.status !== 'queued' && task.status !== 'processing')) return task
    await clock.wait(config.pollIntervalMs)
  }
}

// Text models.

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
