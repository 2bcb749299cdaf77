// The catalog as Markdown tables: prices for the operator's terminal, fields for docs/models.md.

import { formatRoubles } from '../money.ts'
import type { Catalog } from './catalog.ts'
import type { Audience, Field } from './field.ts'
import { minimalAnswers } from './minimal-answers.ts'
import type { Model } from './model.ts'
import type { Surcharge } from './settings.ts'
import { labelOf, type TextModel } from './text-models.ts'
import { modesOf } from './text-modes.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** One row per model; the price is that of its default request. */
export function priceTable(catalog: Catalog): string {
  const rows = catalog.models.map((model) => {
    const body = catalog.request(model, minimalAnswers(model))
    const price = body && catalog.price(model, body)
    return [
      model.id,
      catalog.lacksGatewayId(model) ? '' : String(body?.model ?? ''),
      model.commands.map((command) => `/${command}`).join(' '),
      stateOf(catalog, model),
      catalog.path(model),
      price ? formatRoubles(price.amount) : 'unknown',
      price ? formatRoubles(price.gatewayCost) : 'unknown',
      price?.multiplier ?? '',
      price?.rounding ?? '',
      catalog.surcharges(model).map(surchargeText).join('; '),
      String(catalog.voices(model).length),
    ]
  })
  const head = [
    'model',
    'gateway id',
    'commands',
    'state',
    'path',
    'default price',
    'gateway',
    'multiplier',
    'up to',
    'surcharges',
    'voices',
  ]
  return table(head, rows)
}

function stateOf(catalog: Catalog, model: Model): string {
  if (catalog.isOffered(model)) return model.status
  const needed = [
    ...(catalog.lacksGatewayId(model) ? ['"gatewayId" in CATALOG_FILE'] : []),
    ...(catalog.lacksCallback(model) ? ['PUBLIC_URL'] : []),
  ]
  return needed.length > 0 ? `off: needs ${needed.join(' and ')}` : 'off'
}

/** A surcharge as text, like `resolution = 4k: × 1.5 + 10.00 per second`. */
function surchargeText({ when, multiplier, add, per }: Surcharge): string {
  const conditions = Object.entries(when).map(([path, wanted]) => {
    if (typeof wanted !== 'object') return `${path} = ${wanted}`
    return 'min' in wanted ? `${path} ≥ ${wanted.min}` : `${path} = ${wanted.join(' or ')}`
  })
  return `${conditions.join(', ')}: × ${multiplier} + ${add} per ${per}`
}

const reached: Readonly<Record<Audience, string>> = {
  asked: 'asked',
  card: 'card',
  advanced: 'advanced',
  operator: 'operator',
  system: 'the app',
}

/** The fields of every model, by request path and by who sets them. */
export function fieldTable(models: readonly Model[]): string {
  const rows = models.map((model) => [
    model.id,
    ...(['asked', 'card', 'advanced', 'operator', 'system'] as const).map((audience) =>
      pathsOf(model.fields.filter((field) => field.audience === audience)),
    ),
  ])
  return table(
    ['model', reached.asked, reached.card, reached.advanced, reached.operator, reached.system],
    rows,
  )
}

function pathsOf(fields: readonly Field[]): string {
  const paths = new Set(fields.flatMap(({ shape }) => Object.keys(shape)))
  return [...paths].map((path) => `\`${path}\``).join(', ')
}

/** The operator's text models with the user's price of a million tokens. */
export function textTable(models: readonly TextModel[]): string {
  const rows = models.map((model) => [
    model.id,
    labelOf(model),
    model.family,
    model.rates ? 'active' : 'off: no price',
    model.rates ? `${model.rates.input} / ${model.rates.output} × ${model.multiplier}` : 'unknown',
    String(model.context),
    [...modesOf(model), ...model.abilities.filter((one) => one === 'vision' || one === 'tools')].join(' '),
  ])
  return table(
    ['text model', 'label', 'family', 'state', 'roubles per million in / out', 'context', 'abilities'],
    rows,
  )
}
