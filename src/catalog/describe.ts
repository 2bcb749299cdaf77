// The catalog as Markdown tables: prices for the operator's terminal, fields for docs/models.md.

import { formatRoubles } from '../money.ts'
import type { Catalog } from './catalog.ts'
import type { Audience, Field } from './field.ts'
import { type Model, minimalAnswers } from './model.ts'
import type { Surcharge } from './settings.ts'
import { labelOf, type TextModel } from './text-models.ts'
import { modeNames, modesOf } from './text-modes.ts'

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
      model.vendor ?? '',
      model.commands.map((command) => `/${command}`).join(' '),
      stateOf(catalog, model),
      catalog.path(model),
      price ? formatRoubles(price.amount) : 'unknown',
      price ? formatRoubles(price.gatewayCost) : 'unknown',
      price?.multiplier ?? '',
      price?.rounding ?? '',
      catalog.surcharges(model).map(surchargeText).join('; '),
      String(catalog.voices(model).length),
      model.capabilities.join(' '),
    ]
  })
  const head = [
    'model',
    'gateway id',
    'vendor',
    'commands',
    'state',
    'path',
    'default price',
    'gateway',
    'multiplier',
    'up to',
    'surcharges',
    'voices',
    'capabilities',
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
    abilitiesOf(model),
  ])
  return table(
    ['text model', 'label', 'family', 'state', 'roubles per million in / out', 'context', 'abilities'],
    rows,
  )
}

/** The abilities that are written for the model; modes that its family has not, or for which its answers are too short, do nothing. */
function abilitiesOf(model: TextModel): string {
  const idle = modeNames.filter((mode) => model.abilities.includes(mode) && !modesOf(model).includes(mode))
  const works = model.abilities.filter((one) => !idle.some((mode) => mode === one))
  return [works.join(' '), ...idle.map((mode) => `no effect: ${mode}`)].filter(Boolean).join('; ')
}

// A catalog file to start from: every model with its settings, and comments. The file is valid unchanged, but sells nothing before the ids
// of the gateway are written into it.

const head = `// What is sold, and for how much. CATALOG_FILE is the path of this file; \`npm run catalog\` shows what it sells.
// Every part is optional: a setting that is not here has the value that is shown, and "multiplier" is then "1".
//   gatewayId   the id of the model at your gateway; without it the model is not offered
//   path        where the gateway takes the order
//   multiplier  price of the user = price of the gateway x multiplier, rounded up once to a multiple of rounding. "1.30" leaves 25 % of the
//               cost if a payment costs 3.5 % (1.30 x 0.965 = 1.25), and 30 % if a Star brings what it credits; below 1 you lose (npm run doctor)
//   rates       the price list of the gateway in roubles; null means unknown, and then the model cannot be ordered
//   request     values for all orders, by path; users do not see their fields (npm run catalog -- --fields lists the fields)
//   defaults    what the fields start with, by path; users may change it
//   surcharges  {"when": {"resolution": "4k"}, "multiplier": "1.5", "add": "10.00", "per": "second", "label": {"ru": "4k", "en": "4k"}}
//   voices      {"id": "Wise_Woman", "label": "Anna"}: buttons; any other id can be typed`

const textModels = `  // Models for chat answers, all of them yours: the gateway names their ids, and the rates are roubles per million tokens.
  "textModels": [
    // {
    //   "id": "the id of a text model at your gateway",
    //   "label": "GPT",
    //   "family": "gpt", // assistant, gemini, gpt, grok, deepseek, mistral or minimax
    //   "rates": { "input": "165", "output": "1320" }, // without them the model is not offered
    //   "multiplier": "1.30",
    //   "context": 128000,
    //   "maxOutput": 4000,
    //   "abilities": ["vision", "tools", "search", "code", "thinking"],
    //   "request": { "temperature": 0.3 }
    // }
  ]`

export const exampleCatalog = (models: readonly Model[]): string =>
  `${head}\n{\n${[...models.map(entryOf), textModels].join(',\n\n')}\n}\n`

function entryOf(model: Model): string {
  const { id, endpoint, gatewayId, commands, fields } = model
  const hasVoices = fields.some((field) => field.kind === 'text' && field.source === 'voices')
  return [
    `  // ${commands.map((command) => `/${command}`).join(' ')}`,
    `  ${JSON.stringify(id)}: {`,
    gatewayId === undefined
      ? '    // "gatewayId": "the id of this model at your gateway",'
      : `    "gatewayId": ${JSON.stringify(gatewayId)},`,
    `    "path": ${JSON.stringify(endpoint)},`,
    '    "enabled": true,',
    '    // "first": true,',
    '    "multiplier": "1.30",',
    '    "rounding": "0.01",',
    `    "rates": { ${ratesOf(model)} },`,
    '    // "giveUpAfterMinutes": 60,',
    '    // "usualSeconds": 90,',
    '    "request": {},',
    '    "defaults": {},',
    ...(hasVoices ? ['    "voices": [],'] : []),
    '    "surcharges": []',
    '  }',
  ].join('\n')
}

const ratesOf = ({ rates }: Model): string =>
  Object.entries(rates)
    .map(([name, { roubles, per }]) => {
      const unit = per === 1 ? '' : ` /* for ${per} */`
      return `${JSON.stringify(name)}: ${JSON.stringify(roubles)}${unit}`
    })
    .join(', ')
