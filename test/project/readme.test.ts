// README.md and docs/ agree with the code: the commands, programs, settings, alarms, units and links that they name exist.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { suggestedCommands } from '../../src/bot/commands.ts'
import { fieldTable } from '../../src/catalog/describe.ts'
import { models } from '../../src/catalog/index.ts'
import { commands } from '../../src/catalog/model.ts'
import { helpOf } from '../../src/cli/admin/commands.ts'
import { watched } from '../../src/operator/checks.ts'
import { services, wanted } from '../support/project/compose-file.ts'
import { readAlerts, readDoc } from '../support/project/ops-files.ts'
import { sources } from '../support/project/source.ts'
import { everythingSold } from '../support/sold.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))
const pages = globSync(['*.md', 'docs/*.md', 'test/tools/*/README.md'], { cwd: root }).toSorted()

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** The anchors of the headings, as GitHub derives them. */
const anchorsOf = (text: string) =>
  matches(text, /^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

/** The titles of all tests. */
const titles = globSync('test/**/*.test.ts', { cwd: root }).flatMap((path) =>
  matches(read(path), /(?:\bit|\))\(\s*'((?:\\.|[^'\\])+)'/g),
)

/** A title that begins with `%s` names the row of a table first. */
const isTest = (name: string) =>
  titles.some((title) => title === name || (title.startsWith('%s ') && name.endsWith(title.slice(2))))

describe('README.md', () => {
  const readme = read('README.md')

  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('names every command that sells something', () => {
    for (const command of commands) expect(readme).toContain(`\`/${command}\` |`)
  })

  it('states the taps and messages of every journey file', () => {
    const folder = 'test/scenarios/journeys'
    const recorded = readdirSync(join(root, folder)).map((file) => {
      const counts = /^taps: (\d+), messages of the bot: (\d+)\n/.exec(read(join(folder, file)))
      return [file.replace(/\.txt$/, ''), ...(counts?.slice(1) ?? [])]
    })
    const [, table = ''] = readme.split('| journey | taps | messages |\n')
    const [rows = ''] = table.split('\n\n')
    const stated = [...rows.matchAll(/^\| (\D+) \| (\d+) \| (\d+) \|$/gm)]
    expect(
      stated.map(([, name = '', ...counts]) => [name.replaceAll(/\W+/g, '-'), ...counts]).toSorted(),
    ).toEqual(recorded.toSorted())
  })

  it('lists every folder of src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory())
    expect(
      folders
        .filter(({ name }) => !new RegExp(`^  (\\S+ )?${name}/ `, 'm').test(readme))
        .map(({ name }) => name),
    ).toEqual([])
  })
})

it('CONTRIBUTING.md names only tests that exist', () => {
  const named = matches(read('CONTRIBUTING.md'), /`([^`]+)` fails/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !isTest(name))).toEqual([])
})

it('docs/features.md names every command of users', () => {
  const features = read('docs/features.md')
  const users = suggestedCommands(everythingSold)
  expect(users.length).toBeGreaterThan(commands.length)
  expect(users.filter((command) => !new RegExp(`\`/${command}\\b`).test(features))).toEqual([])
})

it('docs/models.md lists every field of every model and who sets it', () => {
  const [, table] = /<!-- fields:[^>]*-->\n([\s\S]*?)\n<!-- \/fields -->/.exec(read('docs/models.md')) ?? []
  expect(table).toBe(fieldTable(models))
})

it('docs/configuration.md lists every environment variable of the app', () => {
  const configuration = read('docs/configuration.md')
  const settings = sources.filter(({ path }) => path.startsWith('config') || path.startsWith('payments'))
  const names = settings.flatMap(({ text }) => matches(text, /(?:^\s+|\{ )([A-Z][A-Z_]+[A-Z]): /gm))
  expect(names.length).toBeGreaterThan(20)
  expect([...new Set(names)].filter((name) => !configuration.includes(`\`${name}\``))).toEqual([])
})

describe.each(pages)('%s', (page) => {
  const text = read(page)

  it('links only to existing files and headings', () => {
    const links = matches(text, /\]\((?!https?:)([^)]+)\)/g)
    const isThere = (link: string) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, target))) return false
      return anchor === undefined || anchorsOf(read(target)).includes(anchor)
    }
    expect(links.filter((link) => !isThere(link))).toEqual([])
  })

  it('has lines of prose of at most 140 characters', () => {
    const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$|^ *[|<].*$/gm, '')
    expect(prose.split('\n').filter((line) => line.length > 140)).toEqual([])
  })

  it('names only scripts that package.json has', () => {
    const named = matches(text, /npm run (?:-s )?([\w:-]+)/g)
    expect(named.filter((name) => !scripts[name])).toEqual([])
  })
})

const guides = ['README.md', '.env.example', ...pages.filter((page) => page.startsWith('docs/'))]
  .map(read)
  .join('\n')

it('every program that a guide calls with node exists and is called inside the image', () => {
  const called = [...guides.matchAll(/^.*?\bnode (?:src|built)\/(?!launch)(\S+?)\.[jt]s/gm)]
  expect(called.length).toBeGreaterThan(10)
  const isThere = (path: string) => existsSync(join(root, `src/${path}.ts`))
  expect(called.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([])
  const onHost = called
    .map(([line]) => line)
    .filter((line) => !/\b(worker|migrate|web|bot)\b[^`]*node built\//.test(line))
  expect(onHost).toEqual([])
})

it('git and the linter ignore the catalog that the guides have written into settings', () => {
  expect(guides).toContain('--example settings/catalog.json')
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

const ofOperators = ['quick-start.md', 'operating.md', 'incidents.md']
const guide = ofOperators.map(readDoc).join('\n')
const code = sources.map(({ text }) => text).join('\n')
const all = (pattern: RegExp) => matches(guide, pattern)

/** The headings of the pages, as `docs/page.md#anchor`. */
const anchors = new Set(
  ofOperators.flatMap((page) => anchorsOf(readDoc(page)).map((anchor) => `docs/${page}#${anchor}`)),
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
