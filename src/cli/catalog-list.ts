// `npm run catalog`: the models with the settings of CATALOG_FILE: ids, paths, prices, on or off. With `--fields`: how each field is
// reached.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createCatalog } from '../catalog/catalog.ts'
import { fieldTable, priceTable, textTable } from '../catalog/describe.ts'
import { models } from '../catalog/index.ts'
import { catalogSettings } from '../catalog/settings.ts'
import { textModelList } from '../catalog/text-models.ts'

const { values } = parseArgs({ options: { fields: { type: 'boolean', default: false } } })

function readSettings() {
  const path = process.env.CATALOG_FILE
  const { textModels = [], ...models } = path
    ? z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')))
    : {}
  return { models: catalogSettings.parse(models), textModels: textModelList.parse(textModels) }
}

try {
  const settings = readSettings()
  const canCallBack = Boolean(process.env.PUBLIC_URL)
  const tables = values.fields
    ? [fieldTable(models)]
    : [priceTable(createCatalog(models, settings.models, { canCallBack })), textTable(settings.textModels)]
  process.stdout.write(`${tables.join('\n\n')}\n`)
} catch (error) {
  const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
  process.stderr.write(`CATALOG_FILE cannot be used: ${why}\n`)
  process.exitCode = 1
}
