// `npm run catalog`: what would be sold with these settings: ids, paths, prices, on or off, and how each field is reached.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createCatalog } from './catalog/catalog.ts'
import { fieldTable, priceTable } from './catalog/describe.ts'
import { models } from './catalog/index.ts'
import { catalogSettings } from './catalog/settings.ts'

const { values } = parseArgs({ options: { fields: { type: 'boolean', default: false } } })

function readSettings() {
  const path = process.env.CATALOG_FILE
  return path ? catalogSettings.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
}

try {
  const catalog = createCatalog(models, readSettings())
  process.stdout.write(`${values.fields ? fieldTable(models) : priceTable(catalog)}\n`)
} catch (error) {
  const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
  process.stderr.write(`CATALOG_FILE can not be used: ${why}\n`)
  process.exitCode = 1
}
