import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { services } from '../support/project/compose-file.ts'

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

it('git and the linter ignore the catalog that the guides have written into settings', () => {
  expect(text).toContain('--example settings/catalog.json')
  expect(read('.gitignore').split('\n')).toContain('/settings/')
  const { files } = z
    .object({ files: z.object({ includes: z.array(z.string()) }) })
    .parse(JSON.parse(read('biome.json')))
  expect(files.includes).toContain('!settings')
})

it("the npm scripts of the operator's programs read .env", () => {
  const programs = ['start', 'admin', 'audit', 'migrate', 'catalog', 'doctor', 'gateway-check']
  expect(
    programs.filter((name) => !scripts[name]?.startsWith('node src/launch.js --env-file-if-exists=.env ')),
  ).toEqual([])
})

it('the guide for Docker restores a dump with the script, in the service that has the script and the dumps', () => {
  const [, restoring = ''] = /^## Restoring$([\s\S]*?)^## /m.exec(read('docs/operating.md')) ?? []
  expect(restoring).toMatch(/docker compose run --rm backup '\/app\/docs\/scripts\/restore [^']+'/)
  expect(restoring).not.toMatch(/\bpg_restore\b|\bcreatedb -U/)
  expect(services.backup).toMatchObject({
    entrypoint: ['/bin/sh', '-c'],
    volumes: ['./docs/scripts:/app/docs/scripts:ro', './backups:/backups'],
  })
})
