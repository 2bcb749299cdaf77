// Every export of src is imported by another file, and every file is imported or started.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = globSync('{src,test}/**/*.{ts,js}', { cwd: root }).toSorted()
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const matchesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match.slice(1))
const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0] ?? '',
    )
    .filter((name) => name !== '')

/** The imported names, as `file name`, or `file *` if a file is imported as a whole. */
const used = new Set<string>()
const usedInSource = new Set<string>()
const started = new Set<string>()
const passedOn: { readonly from: string; readonly by: string }[] = []
for (const [file, text] of textOf) {
  const at = (path: string) => join(dirname(file), path)
  const use = (one: string) => {
    used.add(one)
    if (file.startsWith('src/')) usedInSource.add(one)
  }
  const listed = /(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '(\.[^']+)'/g
  for (const [list = '', path = ''] of matchesIn(text, listed)) {
    for (const name of namesIn(list)) use(`${at(path)} ${name}`)
  }
  const whole = /(?:\* as \w+ from|import\(|import) ?'(\.[^']+)'/g
  for (const [path = ''] of matchesIn(text, whole)) use(`${at(path)} *`)
  for (const [path = ''] of matchesIn(text, /export (?:type )?\* from '(\.[^']+)'/g))
    passedOn.push({ from: at(path), by: file })
  for (const [path = ''] of matchesIn(text, /(?:thread|program)Script\('([^']+)'/g))
    started.add(`src/${path}.ts`)
}
for (const page of globSync('src/sandbox/**/*.html', { cwd: root })) {
  for (const [path = ''] of matchesIn(readFileSync(join(root, page), 'utf8'), /src="\/([^"]+\.ts)"/g)) {
    started.add(`src/sandbox/${path}`)
  }
}
const scripts = readFileSync(join(root, 'package.json'), 'utf8')

const ofSource = files.filter((file) => file.startsWith('src/'))
const isImported = (file: string) =>
  passedOn.some(({ from }) => from === file) || [...used].some((one) => one.startsWith(`${file} `))
const isStarted = (file: string) => started.has(file) || scripts.includes(file)

it('src has no unused files', () => {
  expect(ofSource.length).toBeGreaterThan(300)
  expect(ofSource.filter((file) => !isImported(file) && !isStarted(file))).toEqual([])
})

interface Exported {
  readonly file: string
  readonly name: string
}

const declared = /^export (?:default )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
const exported: readonly Exported[] = ofSource.flatMap((file) =>
  matchesIn(textOf.get(file) ?? '', declared).map(([name = '']) => ({ file, name })),
)
const isIn = (uses: ReadonlySet<string>, { file, name }: Exported): boolean =>
  uses.has(`${file} ${name}`) ||
  uses.has(`${file} *`) ||
  passedOn.some(({ from, by }) => from === file && isIn(uses, { file: by, name }))
const notIn = (uses: ReadonlySet<string>): string[] =>
  exported.filter((one) => !isIn(uses, one)).map(({ file, name }) => `${file} ${name}`)

it('src has no unused exports', () => {
  expect(exported.length).toBeGreaterThan(1000)
  expect(notIn(used)).toEqual([])
})

/**
 * These exports are parts with tests of their own, limits that documents state, and values for the programs in `test`. Only lower it, except
 * when a tested part moves into the only file that imports it.
 */
const mostForTests = 70

it('src does not gain exports that only tests use', () => {
  const forTests = notIn(usedInSource)
  expect(forTests.length, forTests.join('\n')).toBeLessThanOrEqual(mostForTests)
})
