// A catalog file to start from: every model with its settings, and comments. The file is valid unchanged, but sells nothing before the ids
// of the gateway are written into it.

import type { Model } from './model.ts'

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
    '    "multiplier": "1.30",',
    '    "rounding": "0.01",',
    `    "rates": { ${ratesOf(model)} },`,
    '    // "giveUpAfterMinutes": 60,',
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
