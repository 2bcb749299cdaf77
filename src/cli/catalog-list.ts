// `npm run catalog`: prints the models with the settings of CATALOG_FILE: ids, paths, prices, on or off. With `--fields`: prints who sets
// each field. With `--example`: writes a commented file to start from to the given path, or prints it.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createCatalog } from '../catalog/catalog.ts'
import { exampleCatalog, fieldTable, priceTable, textTable } from '../catalog/describe.ts'
import { models } from '../catalog/index.ts'
import { errorText } from '../catalog/settings.ts'
import { noCatalogFile, readCatalogFile } from '../config/json-file.ts'
import { readArguments } from './terminal.ts'

const help = `npm run catalog: prints what CATALOG_FILE sells.
  --fields           prints who sets each field
  --example [file]   writes a commented file to start from, or prints it`
const { flags, words } = readArguments(help, {
  flags: ['fields', 'example'],
  most: process.argv.includes('--example') ? 1 : 0,
})
if (flags.has('example')) {
  writeExample(words[0])
  process.exit()
}

const path = process.env.CATALOG_FILE
const read: ReturnType<typeof readCatalogFile> = path
  ? readCatalogFile(path)
  : { ok: true, value: noCatalogFile }

function writeExample(target: string | undefined): void {
  const text = exampleCatalog(models)
  if (target === undefined) return void process.stdout.write(text)
  try {
    mkdirSync(dirname(target), { recursive: true })
    // An existing file, which the operator may have changed, is not replaced.
    writeFileSync(target, text, { flag: 'wx' })
    process.stdout.write(
      `Written to ${target}: add the ids of your gateway, and set CATALOG_FILE=${target}\n`,
    )
  } catch (error) {
    const said = existsSync(target) ? 'there is such a file already: write another path' : errorText(error)
    process.stderr.write(`${target}: ${said}\n`)
    process.exit(1)
  }
}

if (read.ok) {
  const canCallBack = Boolean(process.env.PUBLIC_URL)
  const tables = flags.has('fields')
    ? [fieldTable(models)]
    : [
        priceTable(createCatalog(models, read.value.models, { canCallBack })),
        textTable(read.value.textModels),
      ]
  process.stdout.write(`${tables.join('\n\n')}\n`)
} else {
  for (const { place, what } of read.problems)
    process.stderr.write(`CATALOG_FILE: ${[path, place].filter(Boolean).join(', ')}: ${what}\n`)
  process.exitCode = 1
}
