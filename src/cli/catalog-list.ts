// `npm run catalog`: the models with the settings of CATALOG_FILE: ids, paths, prices, on or off. With `--fields`: how each field is
// reached.

import { parseArgs } from 'node:util'
import { createCatalog } from '../catalog/catalog.ts'
import { fieldTable, priceTable, textTable } from '../catalog/describe.ts'
import { models } from '../catalog/index.ts'
import { noCatalogFile, readCatalogFile } from '../config/catalog-file.ts'

const { values } = parseArgs({ options: { fields: { type: 'boolean', default: false } } })

const path = process.env.CATALOG_FILE
const read: ReturnType<typeof readCatalogFile> = path
  ? readCatalogFile(path)
  : { ok: true, file: noCatalogFile }

if (read.ok) {
  const canCallBack = Boolean(process.env.PUBLIC_URL)
  const tables = values.fields
    ? [fieldTable(models)]
    : [priceTable(createCatalog(models, read.file.models, { canCallBack })), textTable(read.file.textModels)]
  process.stdout.write(`${tables.join('\n\n')}\n`)
} else {
  for (const { place, what } of read.problems)
    process.stderr.write(`CATALOG_FILE: ${[path, place].filter(Boolean).join(', ')}: ${what}\n`)
  process.exitCode = 1
}
