// Finds mistakes in the operator's settings of the models, and says what to write instead.

import type { Model } from './model.ts'
import { wrongValues } from './operator-values.ts'
import type { CatalogSettings, ModelSettings } from './settings.ts'
import { wrongSurcharges } from './surcharges.ts'
import { uploadPath } from './video-common.ts'

interface Wrong {
  /** The key of the entry, which should be the id of a model. */
  readonly id: string
  readonly what: string
}

export function wrongSettings(models: readonly Model[], settings: CatalogSettings): Wrong[] {
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

const wrongModel = (model: Model, one: ModelSettings): string[] => [
  ...Object.keys(one.rates).flatMap((rate) => (model.rates[rate] ? [] : [noRate(model, rate)])),
  ...wrongValues(model, { fixed: one.request, defaults: one.defaults }),
  ...wrongUpload(model, one),
  ...wrongSurcharges(model, one),
]

const noRate = ({ rates }: Model, name: string): string =>
  `no rate "${name}": write ${Object.keys(rates)
    .map((rate) => `"${rate}"`)
    .join(' or ')}`

function wrongUpload({ fields }: Model, { uploadCommand, request }: ModelSettings): string[] {
  if (!uploadCommand) return []
  const takesAddress = fields.some(({ shape }) => uploadPath in shape)
  if (!takesAddress) return ['the model takes no upload address, so remove "uploadCommand"']
  return uploadPath in request ? [`write either "uploadCommand" or "request.${uploadPath}"`] : []
}
