// docs/gateway-api.md agrees with the catalog: the fields of every model, who sets them, their values, limits and defaults, and the prices.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Audience, Field, Json } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/gateway-api.md')

interface Section {
  readonly heading: string
  readonly text: string
}

const sections = page
  .split(/^##+ /m)
  .slice(1)
  .map((text): Section => ({ heading: text.slice(0, text.indexOf('\n')), text }))

const isRow = (line: string) => line.startsWith('| ')
const cellsIn = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function sectionOf({ id }: Model): Section {
  const found = sections.find(({ heading }) => heading.endsWith(`: ${id}`))
  assert(found, `no section ${id}`)
  return found
}

/** The rows of a model's fields, by request path. */
function fieldRows(model: Model): ReadonlyMap<string, string> {
  const rows = sectionOf(model).text.split('\n').filter(isRow)
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const [, path] = /^`([\w.]+)`$/.exec(cellsIn(row)[0] ?? '') ?? []
      return path === undefined ? [] : [[path, row]]
    }),
  )
}

const rowAt = (model: Model, path: string): string => fieldRows(model).get(path) ?? ''
const code = (value: Json) => `\`${String(value)}\``
/** Whether the row has the number: `1..6` has 1 and 6, and `0.5` has no 5. */
const hasNumber = (row: string, value: number) =>
  new RegExp(`(?<!\\d|\\d\\.)${value}(?!\\d|\\.\\d)`).test(row)

const words: Readonly<Record<Audience, string>> = {
  asked: 'asked',
  card: 'card',
  advanced: 'More',
  operator: 'operator',
  system: 'system',
}

const writing = ({ fields }: Model, path: string): readonly Field[] =>
  fields.filter(({ shape }) => shape[path])

/** Who sets the path: of a choice with axes, whoever sets an axis. */
function settersOf(model: Model, path: string): string[] {
  const audiences = writing(model, path).flatMap((field) =>
    field.kind === 'choice' && field.axes ? field.axes.map(({ audience }) => audience) : [field.audience],
  )
  return [...new Set(audiences.map((audience) => words[audience]))].toSorted()
}

/** The values of a choice at the path, those included that an option only stands for. The ratios of `size` are only some of all. */
function valuesAt(model: Model, path: string): Json[] {
  if (path === 'size') return []
  const choices = writing(model, path).flatMap((field) => (field.kind === 'choice' ? field.options : []))
  return choices.flatMap(({ set, means }) => ({ ...means, ...set })[path] ?? [])
}

const isPair = (path: string) => path === 'width' || path === 'height'

/** The limits of what people write or send; none of an object, which only the operator writes. */
function limitsOf(field: Field, path: string): (number | undefined)[] {
  switch (field.kind) {
    case 'number':
      return [field.min, field.max]
    case 'text':
      return field.shape[path]?.safeParse({}).success && field.audience === 'operator' ? [] : [field.max]
    case 'media':
      return [field.maxSeconds, field.minPixels]
    case 'choice':
    case 'toggle':
      return []
  }
}

/** The limits of the fields of a path, our own, and those that depend on other answers. */
function limitsAt(model: Model, path: string): number[] {
  const ofFields = writing(model, path).flatMap((field) => limitsOf(field, path))
  const ofRules = model.rules.flatMap((rule) =>
    rule.kind === 'limit' && rule.path === path ? [rule.max] : [],
  )
  return [...ofFields, ...ofRules, model.ownLimits?.[path]]
    .flatMap((one) => one ?? [])
    .filter((one) => Math.abs(one) < Number.MAX_SAFE_INTEGER)
}

const extras = ['', ' rigging', ' rigging animation']

/** The prices of a model, by rate; of a model without a table of its own, one price a row. */
function pricesOf({ id }: Model): string[] {
  const { text = '' } = sections.find(({ heading }) => heading === 'Prices') ?? {}
  const rows = text.split('\n').filter(isRow).map(cellsIn)
  if (id === 'MODEL-3D-TEXT')
    return rows
      .filter(({ length }) => length === 6)
      .flatMap(([mode, geometry, ...prices]) =>
        extras.map((extra, at) => `${mode} ${geometry}${extra} ${prices[at]}`),
      )
      .slice(extras.length)
  return rows.flatMap(([fact = '']) => (fact.startsWith(`${id}: `) ? (fact.split(' ')[1] ?? []) : []))
}

describe.each(models.map((model) => [model.id, model] as const))('%s', (_, model) => {
  const paths = [...new Set(model.fields.flatMap(({ shape }) => Object.keys(shape)))]

  it('has a row for every path of its fields, and no other', () => {
    expect([...fieldRows(model).keys()].toSorted()).toEqual(paths.toSorted())
  })

  it.each(paths)('says who sets %s', (path) => {
    const [where = ''] = (cellsIn(rowAt(model, path))[3] ?? '').split(';')
    expect(where.split(', ').toSorted()).toEqual(settersOf(model, path))
  })

  it.each(paths.filter((path) => !isPair(path)))(
    'has the values, the limits and the default of %s',
    (path) => {
      const row = rowAt(model, path)
      const usual = model.defaultValues[path]
      const values = [...valuesAt(model, path), ...(usual === undefined ? [] : [usual])]
      expect(values.filter((value) => !row.includes(code(value)))).toEqual([])
      expect(limitsAt(model, path).filter((limit) => !hasNumber(row, limit))).toEqual([])
    },
  )

  it('has every pair of width and height', () => {
    const pairs = model.rules.flatMap((rule) => (rule.kind === 'rows' ? rule.rows : []))
    const { text } = sectionOf(model)
    expect(pairs.map((pair) => pair.join('x')).filter((pair) => !text.includes(` ${pair} `))).toEqual([])
  })

  it('has the prices of the catalog', () => {
    const rates = Object.entries(model.rates).map(([name, { roubles }]) =>
      model.id === 'MODEL-3D-TEXT' ? `${name} ${roubles}` : roubles,
    )
    expect(pricesOf(model).toSorted()).toEqual(rates.toSorted())
  })
})

it('every row with a state says that it works, or what is missing', () => {
  const tables = page.split('\n\n').filter((block) => /^\|.*\| state \|$/m.test(block.split('\n')[0] ?? ''))
  const rows = tables.flatMap((table) => table.split('\n').slice(2).filter(isRow))
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter((row) => !/\| (works|in part: \S.*|missing: \S.*) \|$/.test(row))).toEqual([])
})

it('names only settings that docs/configuration.md describes', () => {
  const named = [...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name)
  const configuration = read('docs/configuration.md')
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([])
})

it('has the headings that comments name', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root })
  const cited = files.flatMap((path) => {
    const text = read(path).replaceAll(/\n\s*(\/\/|\*) ?/g, ' ')
    return [...text.matchAll(/gateway-api\.md, ("[^"]+"(?:(?:, | and )"[^"]+")*)/g)].flatMap(
      ([, list = '']) => [...list.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading),
    )
  })
  expect(cited.length).toBeGreaterThan(10)
  const isThere = (name: string) => sections.some(({ heading }) => heading.startsWith(name))
  expect([...new Set(cited)].filter((name) => !isThere(name))).toEqual([])
})
