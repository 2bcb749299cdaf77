// The models together with the operator's settings: what is offered, what it costs, what is sent.

import { ceilKopecks, decimal, type Fraction, type Kopecks, times } from '../money.ts'
import type { Answers, Flat } from './field.ts'
import { type Cost, exactPrice, type Modality, type Model, nest, type Rate } from './model.ts'
import { type CatalogSettings, defaultModelSettings, type ModelSettings } from './settings.ts'

/** A price with its parts: `count` x `quantity` units at `rate` roubles, times `multiplier`. */
export interface Price {
  readonly amount: Kopecks
  /** What the gateway will charge us. */
  readonly gatewayCost: Kopecks
  readonly unit: Cost['unit']
  readonly quantity: number
  readonly count: number
  readonly rate: Rate
  readonly multiplier: string
}

export interface Catalog {
  readonly models: readonly Model[]
  /** Models that are switched on, the deprecated ones last. */
  offered(modality?: Modality): readonly Model[]
  find(id: string): Model | undefined
  isOffered(model: Model): boolean
  /** The strict request body (without a callback address), or undefined when the answers do not make one. */
  request(model: Model, answers: Answers): Record<string, unknown> | undefined
  /** Undefined when any rate in it is unknown: that is a refusal, never zero. */
  price(model: Model, body: Record<string, unknown>): Price | undefined
  path(model: Model): string
}

/** @throws Error naming every entry of the settings that no model has. */
export function createCatalog(models: readonly Model[], settings: CatalogSettings): Catalog {
  assertKnown(models, settings)
  const of = (model: Model) => settings[model.id] ?? defaultModelSettings
  const isOffered = (model: Model) => of(model).enabled
  return {
    models,
    isOffered,
    offered: (modality) =>
      models
        .filter((model) => isOffered(model) && (!modality || model.modality === modality))
        .toSorted((a, b) => Number(a.status === 'deprecated') - Number(b.status === 'deprecated')),
    find: (id) => models.find((model) => model.id === id),
    request(model, answers) {
      const flat: Flat = {
        ...model.write(answers),
        ...of(model).request,
        model: of(model).gatewayId ?? model.id,
      }
      const parsed = model.request.safeParse(nest(flat))
      return parsed.success ? parsed.data : undefined
    },
    price: (model, body) => priceOf(model, of(model), body),
    path: (model) => of(model).path ?? model.endpoint,
  }
}

function priceOf(model: Model, settings: ModelSettings, body: Record<string, unknown>): Price | undefined {
  const cost = model.cost(body)
  const rate = rateOf(model, settings, cost.rate)
  if (!rate) return undefined
  const exact: Fraction = exactPrice(cost, rate)
  return {
    amount: ceilKopecks(times(exact, decimal(settings.multiplier))),
    gatewayCost: ceilKopecks(exact),
    unit: cost.unit,
    quantity: cost.quantity,
    count: cost.count,
    rate,
    multiplier: settings.multiplier,
  }
}

function rateOf(model: Model, settings: ModelSettings, name: string): Rate | undefined {
  const own = settings.rates[name]
  if (own === null) return undefined
  const listed = model.rates[name]
  return own !== undefined && listed ? { ...listed, roubles: own } : listed
}

function assertKnown(models: readonly Model[], settings: CatalogSettings): void {
  const wrong = Object.entries(settings).flatMap(([id, one]) => {
    const model = models.find((candidate) => candidate.id === id)
    if (!model) return [`${id}: no such model`]
    const paths = new Set(model.fields.flatMap((field) => Object.keys(field.shape)))
    return [
      ...Object.keys(one.rates).flatMap((rate) => (model.rates[rate] ? [] : [`${id}: no rate "${rate}"`])),
      ...Object.keys(one.request).flatMap((path) => (paths.has(path) ? [] : [`${id}: no field "${path}"`])),
    ]
  })
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}
