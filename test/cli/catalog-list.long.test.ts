// `npm run catalog`: the models that are sold, those that are not sold with the reason, and the example of a catalog file.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { readCatalogFile } from '../../src/config/json-file.ts'
import { start } from '../support/runtime/child.ts'

const folder = mkdtempSync(join(tmpdir(), 'catalog-list-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function list(args: string[], env: Record<string, string> = {}) {
  const child = start('src/cli/catalog-list.ts', env, args)
  const code = await child.ended
  return { code, output: child.output(), complaints: child.complaints() }
}

it('a model without the id of the gateway is off, and the list says what it needs', async () => {
  const { code, output } = await list([])
  expect(code).toBe(0)
  expect(output).toContain('| MODEL-VIDEO-REEL |  |  | /video | off: needs "gatewayId" in CATALOG_FILE |')
  expect(
    createCatalog(models, {})
      .offered()
      .map(({ id }) => id),
  ).toEqual(['MODEL-MUSIC'])
})

it('--example writes a file that is valid as it is, and sells all models when the ids are written', async () => {
  const path = join(folder, 'settings/catalog.json')
  expect(await list(['--example', path])).toEqual({
    code: 0,
    output: `Written to ${path}: add the ids of your gateway, and set CATALOG_FILE=${path}\n`,
    complaints: '',
  })
  const asWritten = readCatalogFile(path)
  expect(asWritten).toMatchObject({ ok: true })
  const text = readFileSync(path, 'utf8')
  expect(models.filter(({ id }) => !text.includes(`"${id}": {`))).toEqual([])
  const withIds = text.replaceAll(/"the id of [^"]+"/g, (_, at) => `"id-${at}"`)
  writeFileSync(path, withIds.replaceAll(/^ {4}\/\/ {1,3}(?=[{}"])/gm, '    '))
  const read = readCatalogFile(path)
  expect(read).toMatchObject({ ok: true, file: { textModels: [{ family: 'gpt' }] } })
  if (read.ok) expect(createCatalog(models, read.file.models).offered()).toHaveLength(models.length)
})
