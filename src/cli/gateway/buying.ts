// Makes the cheapest order of the catalog at the gateway without the app, as a test of the gateway. It costs money.

import type { Catalog, Price } from '../../catalog/catalog.ts'
import type { Answers } from '../../catalog/field.ts'
import { callbackStandIn } from '../../catalog/media.ts'
import type { Model } from '../../catalog/model.ts'
import type { Config } from '../../config.ts'
import type { Gateway, GatewayFile, GatewayTask } from '../../gateway/client.ts'
import {
  asGatewayError,
  GatewayError,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../../gateway/errors.ts'
import { formatRoubles } from '../../money.ts'
import type { Clock } from '../../runtime/clock.ts'

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

// What the answers of the gateway say about our key. A wrong key shows whether the gateway checks keys at all.

export const isKeyRefused = (answer: unknown): boolean =>
  answer instanceof GatewayUnauthorised || (answer instanceof GatewayRefused && answer.status === 403)

export const withCause = ({ message, cause }: GatewayError): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message
