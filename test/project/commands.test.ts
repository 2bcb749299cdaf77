// The commands in the guides work as written: their scripts and files exist. On a host npm starts every program, with the right Node.js
// (launch.js); only commands inside the image call `node` directly.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = [
  'README.md',
  '.env.example',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]
const text = guides.map(read).join('\n')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

it('every npm script that a guide names exists', () => {
  const named = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([])
})

it('every program that a guide calls with node exists and is called inside the image', () => {
  const called = [...text.matchAll(/^.*?\bnode (?:src|built)\/(?!launch)(\S+?)\.[jt]s/gm)]
  expect(called.length).toBeGreaterThan(10)
  const isThere = (path: string) => existsSync(join(root, `src/${path}.ts`))
  expect(called.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([])
  const onHost = called
    .map(([line]) => line)
    .filter((line) => !/\b(worker|migrate|web|bot)\b[^`]*node built\//.test(line))
  expect(onHost).toEqual([])
})

it("the npm scripts of the operator's programs read .env", () => {
  const programs = ['start', 'admin', 'audit', 'migrate', 'catalog', 'doctor', 'gateway-check']
  expect(
    programs.filter((name) => !scripts[name]?.startsWith('node src/launch.js --env-file-if-exists=.env ')),
  ).toEqual([])
})
