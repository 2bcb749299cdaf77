// Applies the operator's settings to the models: what is offered, at which price, with which request.

import { ceilKopecks } from '../money.ts'
import type { Answers, Flat, Option } from './field.ts'
import { sameInAll } from './field.ts'
import { type Command, exactPrice, type Model, type Rate } from './model.ts'
import { amountOf, type Price, type PriceParts } from './price.ts'
import { nest } from './request.ts'
import { type CatalogSettings, defaultModelSettings, type ModelSettings, type Surcharge } from './settings.ts'
import { surchargesOf, wrongSurcharges } from './surcharges.ts'
import { uploadPath } from './upload-address.ts'

export type { Price }

export interface Catalog {
  readonly models: readonly Model[]
  /** Enabled models; last come those whose first command is another one, and then the deprecated ones. */
  offered(command?: Command): readonly Model[]
  find(id: string): Model | undefined
  isOffered(model: Model): boolean
  /** The strict request body without a callback address; undefined when the answers are incomplete. */
  request(model: Model, answers: Answers): Record<string, unknown> | undefined
  /** Undefined when a rate is unknown: an unknown price is a refusal, never zero. */
  price(model: Model, body: Record<string, unknown>): Price | undefined
  path(model: Model): string
  surcharges(model: Model): readonly Surcharge[]
  /** The operator's program that prints an upload address for each order. */
  uploadCommand(model: Model): readonly string[] | undefined
  /** The operator's limit for a running task; undefined when none is set. */
  giveUpAfterMs(model: Model): number | undefined
  /** The operator's list of voices; `set` is empty, because the field writes the value itself. */
  voices(model: Model): readonly Option[]
}

/** @throws Error naming every entry of the settings that matches no model. */
export function createCatalog(models: readonly Model[], settings: CatalogSettings): Catalog {
  assertKnown(models, settings)
  const of = (model: Model) => settings[model.id] ?? defaultModelSettings
  const isOffered = (model: Model) => of(model).enabled
  return {
    models,
    isOffered,
    offered: (command) =>
      models
        .filter((model) => isOffered(model) && (!command || model.commands.includes(command)))
        .toSorted((a, b) => rankUnder(a, command) - rankUnder(b, command)),
    find: (id) => models.find((model) => model.id === id),
    request(model, answers) {
      const flat: Flat = {
        ...ownValues(model),
        ...model.write(answers),
        ...of(model).request,
        model: of(model).gatewayId ?? model.gatewayId ?? model.id,
      }
      const parsed = model.request.safeParse(nest(flat))
      return parsed.success ? parsed.data : undefined
    },
    price: (model, body) => priceOf(model, of(model), body),
    path: (model) => of(model).path ?? model.endpoint,
    surcharges: (model) => of(model).surcharges,
    uploadCommand: (model) => of(model).uploadCommand,
    giveUpAfterMs(model) {
      const minutes = of(model).giveUpAfterMinutes
      return minutes === undefined ? undefined : minutes * 60_000
    },
    voices: (model) =>
      of(model).voices.map(({ id, label = id }) => ({ value: id, label: sameInAll(label), set: {} })),
  }
}

const rankUnder = (model: Model, command: Command | undefined): number =>
  (model.status === 'deprecated' ? 2 : 0) + (command && model.commands[0] !== command ? 1 : 0)

/** The gateway requires an address; without a public address of our own it is one that cannot exist (RFC 2606). */
const noCallback = 'https://callback.invalid/'

/** What the app sets: tasks are preferred, because a synchronous answer is lost if the process stops while it waits. */
function ownValues(model: Model): Flat {
  const callback = model.fields.find((field) => field.name === model.callbackPath && field.required)
  return {
    ...(model.mode === 'either' ? { async: true } : {}),
    ...(callback ? { [callback.name]: noCallback } : {}),
  }
}

function priceOf(model: Model, settings: ModelSettings, body: Record<string, unknown>): Price | undefined {
  const cost = model.cost(body)
  const rate = rateOf(model, settings, cost.rate)
  if (!rate) return undefined
  const { multiplier, rounding } = settings
  const { unit, quantity, count } = cost
  const surcharges = surchargesOf(model, settings.surcharges, body)
  const parts: PriceParts = { unit, quantity, count, rate, multiplier, surcharges, rounding }
  return { ...parts, amount: amountOf(parts), gatewayCost: ceilKopecks(exactPrice(cost, rate)) }
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
      ...wrongUpload(one, paths).map((wrong) => `${id}: ${wrong}`),
      ...wrongSurcharges(model, one.surcharges).map((wrong) => `${id}: ${wrong}`),
    ]
  })
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}

function wrongUpload({ uploadCommand, request }: ModelSettings, paths: ReadonlySet<string>): string[] {
  if (!uploadCommand) return []
  if (!paths.has(uploadPath)) return ['the model takes no upload address, so "uploadCommand" cannot be used']
  return uploadPath in request ? [`set either "uploadCommand" or "request.${uploadPath}"`] : []
}
