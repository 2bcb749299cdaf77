// The README says what the code says.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fieldTable } from '../../src/catalog/describe.ts'
import { models } from '../../src/catalog/index.ts'
import { commands } from '../../src/catalog/model.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

it('lists every field of every model and who sets it', () => {
  const [, table] = /<!-- fields:[^>]*-->\n([\s\S]*?)\n<!-- \/fields -->/.exec(readme) ?? []
  expect(table).toBe(fieldTable(models))
})

it('names every command that sells something', () => {
  for (const command of commands) expect(readme).toContain(`\`/${command}\` |`)
})

it('links to files that are there', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('names only scripts that package.json has', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const named = [...readme.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !scripts[name])).toEqual([])
})
