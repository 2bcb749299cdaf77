// README.md and docs/ agree with the code.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suggestedCommands } from '../../src/bot/commands.ts'
import { fieldTable } from '../../src/catalog/describe.ts'
import { models } from '../../src/catalog/index.ts'
import { commands } from '../../src/catalog/model.ts'
import { sources } from '../support/project/source.ts'
import { everythingSold } from '../support/sold.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
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
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
    const named = matches(text, /npm run (?:-s )?([\w:-]+)/g)
    expect(named.filter((name) => !scripts[name])).toEqual([])
  })
})
