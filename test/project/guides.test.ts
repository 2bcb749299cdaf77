// The guides of docs/ agree with the code: the commands, programs, settings, alarms, units and links that they name exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { helpOf } from '../../src/cli/admin/commands.ts'
import { watched } from '../../src/operator/checks.ts'
import { services, wanted } from '../support/project/compose-file.ts'
import { readAlerts, readDoc } from '../support/project/ops-files.ts'
import { sources } from '../support/project/source.ts'

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

const pages = ['quick-start.md', 'operating.md', 'incidents.md']
const guide = pages.map(readDoc).join('\n')
const code = sources.map(({ text }) => text).join('\n')
const all = (pattern: RegExp, text = guide): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

/** The headings of the pages as `docs/page.md#anchor`, with the anchors that GitHub derives from them. */
const anchors = new Set(
  pages.flatMap((page) =>
    all(/^#+ (.*)$/gm, readDoc(page)).map((title) => {
      const anchor = title.toLowerCase().replaceAll(/[^\w\s-]/g, '')
      return `docs/${page}#${anchor.replaceAll(' ', '-')}`
    }),
  ),
)

describe('the guide of operators', () => {
  it('explains every alert at the anchor that the alert links to', () => {
    const named = new Set(guide.match(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g))
    for (const { alert, annotations } of readAlerts()) {
      expect(named).toContain(alert)
      expect([alert, anchors.has(annotations.runbook)]).toEqual([alert, true])
    }
  })

  it('explains every alarm', () => {
    const texts = readFileSync(join(root, 'src/bot/locales/en/admin.ftl'), 'utf8')
    const [, begins = ''] = /^alarm-begins =([\s\S]*?)^alarm-lasts/m.exec(texts) ?? []
    const titles = [...begins.matchAll(/^ {7,12}\*?\[[\w-]+\] (?!\{)(.*?)(?:: \{.*)?$/gm)].map(
      ([, title = '']) => title,
    )
    expect(titles.length).toBeGreaterThan(watched.length)
    expect(titles.filter((title) => !guide.includes(`| ${title} |`))).toEqual([])
  })

  it('names commands that exist', () => {
    const commands = all(/admin(?:\.js| --) ([\w-]+)/g)
    const known = new Set(helpOf([]).flatMap((line) => /^ {2}([\w|-]+)/.exec(line)?.[1]?.split('|') ?? []))
    expect(commands.length).toBeGreaterThan(8)
    expect(commands.filter((name) => !known.has(name))).toEqual([])
  })

  it('names settings that exist', () => {
    const named = new Set(all(/\b([A-Z]{2,}(?:_[A-Z]+)+)\b/g))
    // Node.js reads this variable.
    named.delete('NODE_OPTIONS')
    expect(named.size).toBeGreaterThan(10)
    expect([...named].filter((name) => !code.includes(name) && !wanted.includes(name))).toEqual([])
  })

  it('names scripts and units that exist, and a unit that leaves the app the time to hand over its work', () => {
    const scripts = all(/(docs\/scripts\/\w+)/g)
    expect(scripts.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const units = readdirSync(join(root, 'docs/systemd'))
    const named = all(/(generation-bot(?:@|-backup)[a-z.]*)/g).map((name) => name.replace(/@.*/, '@.service'))
    expect(named.filter((name) => !units.includes(name))).toEqual([])
    const unit = readDoc('systemd/generation-bot@.service')
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(40)
    const started = [...unit.matchAll(/\b(src\/[\w./-]+)/g)].map(([path]) => path)
    expect(started).toEqual(['src/launch.js', 'src/main.ts'])
  })
})
