// Applies the operator's settings to the models: which models are offered, at which price, and with which request.

import { ceilKopecks } from '../money.ts'

import { type Answers, type Field, type Flat, isUserField, type Option, sameInAll } from './field.ts'
import { callbackStandIn, maxFileBytes, type Passing, usualPassing } from './media.ts'
import {
  type Command,
  exactPrice,
  limitable,
  type Model,
  omissible,
  type Rate,
  restricted,
  variantOf,
  withFields,
} from './model.ts'

import { withOperatorValues, wrongValues } from './operator-values.ts'
import { amountOf, type Price, type PriceParts, surchargesOf, wrongSurcharges } from './price.ts'
import { nest, rewritten } from './request.ts'
import {
  type CatalogSettings,
  defaultModelSettings,
  languageLabels,
  type ModelSettings,
  type Surcharge,
} from './settings.ts'
import { uploadPath } from './video-common.ts'

export type { Price }

export interface Catalog {
  /** All models, with the operator's values. */
  readonly models: readonly Model[]
  readonly passing: Passing
  /**
   * The enabled models, or those of one command: those that the operator puts first, the others, those whose first command is another
   * one, and deprecated ones.
   */
  offered(command?: Command): readonly Model[]
  find(id: string): Model | undefined
  isOffered(model: Model): boolean
  /** Whether the missing callback address keeps an enabled model from being offered. */
  lacksCallback(model: Model): boolean
  /** The real id of the model at the gateway; undefined when it is not known. */
  gatewayId(model: Model): string | undefined
  /** Whether an enabled model has no id at the gateway, so that it is not offered: its id here is only a placeholder. */
  lacksGatewayId(model: Model): boolean
  /** The strict request body without a callback address; undefined when the answers are incomplete. */
  request(model: Model, answers: Answers): Record<string, unknown> | undefined
  /** The body under the gateway's names. */
  named(model: Model, body: Record<string, unknown>): Record<string, unknown>
  /** The price of a body; undefined when a rate is unknown: an unknown price is a refusal, never zero. */
  price(model: Model, body: Record<string, unknown>): Price | undefined
  /** The price of an order with these answers; undefined also while they are incomplete. */
  priceWith(model: Model, answers: Answers): Price | undefined
  path(model: Model): string
  surcharges(model: Model): readonly Surcharge[]
  /** The operator's program that prints an upload address for each order. */
  uploadCommand(model: Model): readonly string[] | undefined
  /** The operator's limit for a running task; undefined when none is set. */
  giveUpAfterMs(model: Model): number | undefined
  /** How long an order of the model usually takes, as long as its history does not tell: the operator's value, or that of its command. */
  usualMs(model: Model): number
  /** The operator's list of voices; `set` is empty, because the field writes the value itself. */
  voices(model: Model): readonly Option[]
}

/**
 * @param canCallBack whether the gateway can call this installation; without it a model that requires a callback address is not offered,
 * unless the operator fixes one
 * @throws Error naming every wrong entry of the settings
 */
export function createCatalog(
  known: readonly Model[],
  settings: CatalogSettings,
  { canCallBack = true, passing = usualPassing } = {},
): Catalog {
  assertValid(known, settings)
  const of = ({ id }: Model) => settings[id] ?? defaultModelSettings
  const models = withVariants(known, settings).map((model) =>
    passingFiles(
      withOperatorValues(withListed(restricted(model, of(model)), of(model)), valuesOf(of(model))),
      passing,
    ),
  )
  const find = (id: string) => models.find((model) => model.id === id)
  const hasCallback = (model: Model) =>
    canCallBack || of(model).request[model.callbackPath ?? ''] !== undefined
  const lacksCallback = (model: Model) => requiresCallback(model) && !hasCallback(model)
  const gatewayId = (model: Model) => of(model).gatewayId ?? model.gatewayId
  const lacksGatewayId = (model: Model) => gatewayId(model) === undefined
  const isOffered = (model: Model) => of(model).enabled && !lacksCallback(model) && !lacksGatewayId(model)
  const request: Catalog['request'] = (model, answers) => {
    const flat: Flat = {
      ...ownValues(model),
      ...(find(model.id) ?? model).write(answers),
      // Without a real id the request only serves to compute a price: such a model is not offered.
      model: gatewayId(model) ?? model.id,
    }
    const parsed = model.request.safeParse(nest({ ...flat, ...model.implied?.(flat) }))
    return parsed.success ? parsed.data : undefined
  }
  return {
    models,
    passing,
    isOffered,
    gatewayId,
    lacksCallback: (model) => of(model).enabled && lacksCallback(model),
    lacksGatewayId: (model) => of(model).enabled && lacksGatewayId(model),
    offered: (command) =>
      models
        .filter((model) => isOffered(model) && (!command || model.commands.includes(command)))
        .toSorted((a, b) => rankUnder(a, command, of(a)) - rankUnder(b, command, of(b))),
    find,
    request,
    named: (model, body) => asNamed(of(model), body),
    price: (model, body) => priceOf(model, of(model), body),
    priceWith(model, answers) {
      const body = request(model, answers)
      return body && priceOf(model, of(model), body)
    },
    path: (model) => of(model).path ?? model.endpoint,
    surcharges: (model) => of(model).surcharges,
    uploadCommand: (model) => of(model).uploadCommand,
    giveUpAfterMs(model) {
      const minutes = of(model).giveUpAfterMinutes
      return minutes === undefined ? undefined : minutes * 60_000
    },
    usualMs: (model) => (of(model).usualSeconds ?? usualSeconds[model.commands[0]]) * 1000,
    voices: (model) => of(model).voices.map(voiceOption),
  }
}

function asNamed({ names, asText }: ModelSettings, body: Record<string, unknown>): Record<string, unknown> {
  const written = (name: string, value: unknown) => ({
    [name]: typeof value === 'number' ? String(value) : value,
  })
  const texts = asText.reduce((all, path) => rewritten(all, path.split('.'), written), body)
  return Object.entries(names).reduce(
    (all, [path, name]) => rewritten(all, path.split('.'), (_, value) => ({ [name]: value })),
    texts,
  )
}

const usualSeconds: Readonly<Record<Command, number>> = {
  image: 60,
  video: 180,
  speech: 60,
  dialogue: 60,
  music: 120,
  model3d: 300,
}

const labelOf = (label: string | Readonly<Record<string, string>>) =>
  typeof label === 'string' ? sameInAll(label) : label

/** The models under the names that the operator gives them, each followed by its variants. */
function withVariants(known: readonly Model[], settings: CatalogSettings): readonly Model[] {
  const named = (model: Model): Model => {
    const { label, vendor, status = model.status } = settings[model.id] ?? {}
    return {
      ...model,
      status,
      ...(label === undefined ? {} : { label: labelOf(label) }),
      ...(vendor === undefined ? {} : { vendor }),
    }
  }
  return known.flatMap((model) => {
    const { gatewayId: _, ...base } = model
    const ids = Object.keys(settings).filter((id) => variantOf(id) === model.id)
    return [model, ...ids.map((id) => ({ ...base, id }))].map(named)
  })
}

/** The model with the operator's voices and names of values. */
function withListed(model: Model, { voices, options }: ModelSettings): Model {
  const speaking = model.fields.filter((field) => field.kind === 'text' && field.source === 'voices')
  const fields = model.fields.map((field): Field => {
    const named = options[field.name]?.map(namedOption)
    if (field.kind === 'number' && named)
      return { ...field, named, suggestions: named.map(({ value }) => Number(value)) }
    if (field.kind !== 'text') return field
    if (named) return { ...field, suggestions: named }
    const at = speaking.indexOf(field)
    if (at < 0) return field
    if (voices.length === 0) return { ...field, hint: 'hint-voice-unlisted' }
    // The second speaker of a dialogue starts with the second voice of the list.
    const own = at > 0 ? voices[at]?.id : undefined
    return own === undefined ? field : { ...field, default: own }
  })
  return fields.every((field, at) => field === model.fields[at]) ? model : withFields(model, fields)
}

const namedOption = ({ value, label }: ModelSettings['options'][string][number]): Option => ({
  value: String(value),
  label: labelOf(label),
  set: {},
})

/** The model with the operator's limit of files; the same object if that is the usual one. */
function passingFiles(model: Model, passing: Passing): Model {
  const maxBytes = passing.picturesAsLinks ? maxFileBytes : passing.maxInlineBytes
  if (maxBytes === usualPassing.maxInlineBytes) return model
  const limited = (field: Field): Field =>
    field.kind === 'media' && field.via === 'data' ? { ...field, maxBytes } : field
  return { ...model, fields: model.fields.map(limited) }
}

const voiceOption = ({
  id,
  label = id,
  gender,
  language,
  sample,
}: ModelSettings['voices'][number]): Option => ({
  value: id,
  label: labelOf(label),
  set: {},
  voice: { gender, language: language && languageLabels[language], sample },
})

function rankUnder(model: Model, command: Command | undefined, { first }: ModelSettings): number {
  const isOwn = model.commands[0] === command
  if (first && isOwn) return -1
  return (model.status === 'deprecated' ? 2 : 0) + (command && !isOwn ? 1 : 0)
}

const requiresCallback = ({ fields, callbackPath }: Model): boolean =>
  fields.some(({ name, required }) => name === callbackPath && required)

/** The request values that the app sets. Tasks are preferred, because a synchronous answer is lost if the process stops while it waits. */
const ownValues = (model: Model): Flat => ({
  ...(model.mode === 'either' ? { async: true } : {}),
  ...(model.callbackPath && requiresCallback(model) ? { [model.callbackPath]: callbackStandIn } : {}),
})

function priceOf(model: Model, settings: ModelSettings, body: Record<string, unknown>): Price | undefined {
  const cost = model.cost(body)
  const rate = rateOf(model, settings, cost.rate)
  if (!rate) return undefined
  const { multiplier, rounding } = settings
  const { unit, quantity, count, isMinimum = false } = cost
  const surcharges = surchargesOf(model, settings.surcharges, body)
  const parts: PriceParts = { unit, quantity, isMinimum, count, rate, multiplier, surcharges, rounding }
  return { ...parts, amount: amountOf(parts), gatewayCost: ceilKopecks(exactPrice(cost, rate)) }
}

function rateOf(model: Model, settings: ModelSettings, name: string): Rate | undefined {
  const own = settings.rates[name]
  if (own === null) return undefined
  const listed = model.rates[name]
  return own !== undefined && listed ? { ...listed, roubles: own } : listed
}

const valuesOf = ({ request, defaults }: ModelSettings) => ({ fixed: request, defaults })

function assertValid(models: readonly Model[], settings: CatalogSettings): void {
  const wrong = wrongSettings(models, settings).map(({ id, what }) => `${id}: ${what}`)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}

// Finds mistakes in the operator's settings of the models, and says what to write instead.

interface Wrong {
  /** The key of the entry, which should be the id of a model. */
  readonly id: string
  readonly what: string
}

export function wrongSettings(known: readonly Model[], settings: CatalogSettings): Wrong[] {
  const models = withVariants(known, settings)
  return [...wrongEntries(models, settings), ...repeatedIds(models, settings)]
}

function wrongEntries(models: readonly Model[], settings: CatalogSettings): Wrong[] {
  return Object.entries(settings).flatMap(([id, one]) => {
    const model = models.find((candidate) => candidate.id === id)
    const problems = model ? wrongModel(model, one) : [`no such model: write one of ${idsOf(models)}`]
    return problems.map((what) => ({ id, what }))
  })
}

/** Finds two entries that are the same model at the gateway: one would be ordered with the fields and the price of the other. */
function repeatedIds(models: readonly Model[], settings: CatalogSettings): Wrong[] {
  const places = models.map((model) => {
    const { gatewayId = model.gatewayId, path = model.endpoint } = settings[model.id] ?? {}
    return { id: model.id, gatewayId, place: gatewayId && `${path} ${gatewayId}` }
  })
  return places.flatMap(({ id, gatewayId, place }, index) => {
    const first = places.slice(0, index).find((other) => place !== undefined && other.place === place)
    return first
      ? [{ id, what: `"gatewayId" ${gatewayId} is also that of ${first.id}: correct one of them` }]
      : []
  })
}

const idsOf = (models: readonly Model[]): string => models.map(({ id }) => id).join(', ')

function wrongModel(model: Model, one: ModelSettings): string[] {
  const unnamed = variantOf(model.id) && one.label === undefined ? ['write its "label"'] : []
  const wrong = [...unnamed, ...wrongNames(model, one)]
  if (wrong.length > 0) return wrong
  const narrowed = restricted(model, one)
  return [
    ...Object.keys(one.rates).flatMap((rate) => (model.rates[rate] ? [] : [noRate(model, rate)])),
    ...wrongValues(narrowed, { fixed: one.request, defaults: one.defaults }),
    ...wrongOptions(model, one),
    ...wrongUpload(model, one),
    ...wrongSurcharges(model, one),
  ]
}

/** The paths of numbers. */
const numeric = ({ fields }: Model): string[] =>
  fields.flatMap((field) => {
    const isNumber = field.kind === 'number' || (field.kind === 'choice' && isNumeric(field))
    return isNumber ? Object.keys(field.shape) : []
  })
const isNumeric = ({ options }: Extract<Field, { kind: 'choice' }>) =>
  options.every(({ set }) => Object.values(set).every((value) => typeof value === 'number'))

const rootOf = (path: string): string => path.split('.')[0] ?? path
const rootsOf = ({ shape }: Field): string[] => Object.keys(shape).map(rootOf)

function wrongNames(model: Model, { limits, without, names, asText }: ModelSettings): string[] {
  const wrong = (setting: string, names: readonly string[], known: readonly string[]) =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => `"${setting}" cannot name "${name}": write ${known.join(' or ')}`)
  return [
    ...wrong('limits', Object.keys(limits), limitable(model)),
    ...wrong('without', without, omissible(model)),
    ...wrong('asText', asText, numeric(model)),
    ...wrong('names', [...new Set(Object.keys(names).map(rootOf))], model.fields.flatMap(rootsOf)),
  ]
}

const noRate = ({ rates }: Model, name: string): string =>
  `no rate "${name}": write ${Object.keys(rates)
    .map((rate) => `"${rate}"`)
    .join(' or ')}`

/** Finds names of values that a field does not take, and fields whose values have no names. */
function wrongOptions({ fields }: Model, { options }: ModelSettings): string[] {
  const isNamed = (field: Field) =>
    field.kind === 'number' || (field.kind === 'text' && (!field.source || field.source === 'concepts'))
  const known = fields.filter((field) => isUserField(field) && field.audience !== 'asked' && isNamed(field))
  return Object.entries(options).flatMap(([name, named]) => {
    const field = known.find((one) => one.name === name)
    if (!field) return [`"options" cannot name "${name}": write ${known.map((one) => one.name).join(' or ')}`]
    const wrong = named.filter(({ value }) => !takes(field, value))
    return wrong.map(({ value }) => `"options.${name}" cannot have ${JSON.stringify(value)}: correct it`)
  })
}

function takes(field: Field, value: string | number): boolean {
  if (field.kind === 'text') return typeof value === 'string' && field.fits(value)
  if (field.kind !== 'number' || typeof value !== 'number') return false
  return value >= field.min && value <= field.max && (!field.integer || Number.isInteger(value))
}

function wrongUpload({ fields }: Model, { uploadCommand, request }: ModelSettings): string[] {
  if (!uploadCommand) return []
  const takesAddress = fields.some(({ shape }) => uploadPath in shape)
  if (!takesAddress) return ['the model takes no upload address, so remove "uploadCommand"']
  return uploadPath in request ? [`write either "uploadCommand" or "request.${uploadPath}"`] : []
}
