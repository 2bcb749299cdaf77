// `npm run catalog`: the models with the settings of CATALOG_FILE: ids, paths, prices, on or off. With `--fields`: how each field is
// reached.

import { parseArgs } from 'node:util'
import { createCatalog } from '../catalog/catalog.ts'
import { fieldTable, priceTable, textTable } from '../catalog/describe.ts'
import { models } from '../catalog/index.ts'
import { readCatalogFile } from '../config/catalog-file.ts'

const { values } = parseArgs({ options: { fields: { type: 'boolean', default: false } } })

try {
  const path = process.env.CATALOG_FILE
  const settings = path ? readCatalogFile(path) : { models: {}, textModels: [] }
  const canCallBack = Boolean(process.env.PUBLIC_URL)
  const tables = values.fields
    ? [fieldTable(models)]
    : [priceTable(createCatalog(models, settings.models, { canCallBack })), textTable(settings.textModels)]
  process.stdout.write(`${tables.join('\n\n')}\n`)
} catch (error) {
  process.stderr.write(`CATALOG_FILE: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
