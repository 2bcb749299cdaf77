// The requests of the app against the tables of fields that were written from gateway-api.md alone: the schema of every model accepts and
// refuses the same bodies, and any answers of users make a documented request.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { models } from '../../../src/catalog/index.ts'
import { bodyOf, catalog, variety } from '../../support/gateway/contract.ts'
import { answersFor } from '../../support/users/settings.ts'
import { reelPairs, wanPairs } from './gateway/fields/media.ts'
import { problemOf } from './gateway/http.ts'
import { mediaModels } from './gateway/models.ts'

type Fields = Readonly<Record<string, unknown>>
type Schema = z.core.JSONSchema.BaseSchema

const link = 'https://pictures.example.com/cat.png'
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'.repeat(3)
const texts = [
  ...['a', '@a', '1:1', '1024x768', '1024', '10x10x10', '1024X768', 'маяк', 'café 🐈‍⬛', ''],
  ...['123e4567-e89b-42d3-a456-426614174000', link, `data:image/png;base64,${base64}`, base64],
]
/** The numbers in rules between fields. */
const numbers = [...new Set(`${reelPairs} ${wanPairs} 10 11 15000 15001`.match(/\d+/g)?.map(Number))]

const isObject = (one: unknown): one is Fields =>
  typeof one === 'object' && one !== null && !Array.isArray(one)
const schemaOf = (one: unknown): Schema => (isObject(one) ? one : {})
const around = (limit: number) => [limit - 1, limit, limit + 1]
const valuesOf = ({ enum: values, const: only }: Schema) => values ?? (only === undefined ? [] : [only])

/** Lengths around the maximum, or those that rules between fields limit. */
const lengthsOf = ({ maxLength }: Schema) =>
  (maxLength ? [maxLength] : [100, 500, 1000, 5000]).flatMap(around)

/** The smallest value that a schema accepts. */
function sample(schema: Schema): unknown {
  const { type, anyOf, pattern = '', minLength = 0, minItems = 1, required = [], properties = {} } = schema
  const [value] = valuesOf(schema)
  if (anyOf) return sample(schemaOf(anyOf[0]))
  if (value !== undefined) return value
  if (type === 'string')
    return texts.find((text) => new RegExp(pattern).test(text) && text.length >= minLength)
  if (type === 'array') return Array(minItems).fill(sample(schemaOf(schema.items)))
  if (type !== 'object') return type === 'boolean'
  return Object.fromEntries(required.map((name) => [name, sample(schemaOf(properties[name]))]))
}

const tagged = (item: unknown, index: number): unknown =>
  JSON.parse(JSON.stringify(item).replace('"@a"', `"@${index}"`))

/** Values at the limits of a schema and beyond them, at all their places, and values of other types. */
function probes(schema: Schema): unknown[] {
  const { anyOf, items, minItems = 1, maxItems = 11, minimum: min = 0, maximum: max = 99 } = schema
  const values = valuesOf(schema)
  const one = sample(schema)
  if (anyOf) return anyOf.flatMap((each) => probes(schemaOf(each)))
  if (values.length > 0) return values.flatMap((value) => [value, `${value}?`, String(value), Number(value)])
  switch (schema.type) {
    case 'string':
      return [...texts, 7, ...lengthsOf(schema).map((length) => 'x'.repeat(length))]
    case 'number':
    case 'integer':
      return [...around(min), ...around(max), min - 0.01, max + 0.01, 3.5, 42, '5', ...numbers]
    case 'boolean':
      return [true, false, 'yes', 1]
    case 'array': {
      const item = schemaOf(items)
      const lists = [minItems - 1, minItems, maxItems, maxItems + 1].map((length) =>
        Array.from({ length }, (_, index) => tagged(sample(item), index)),
      )
      return [...lists, sample(item), ...probes(item).map((each) => [each])]
    }
    case 'object':
      return [one, {}, 'x', [], ...changesOf(schema).map((change) => ({ ...schemaOf(one), ...change }))]
    default:
      return [{ deep: { yes: [true] } }, [], 'x', 7]
  }
}

/** Each probe of each field, and a field that is not listed. */
function changesOf({ properties = {} }: Schema): Fields[] {
  const changes = Object.entries(properties).flatMap(([name, one]) =>
    probes(schemaOf(one)).map((value): Fields => ({ [name]: value })),
  )
  return [...new Map([{ unlisted: 1 }, ...changes].map((one) => [JSON.stringify(one), one])).values()]
}

const isWords = (change: Fields) =>
  Object.values(change).some((one) => texts.indexOf(`${one}`) > 0) || JSON.stringify(change).length > 300

/** Both changes, also of two fields of one object. */
const together = (one: Fields, other: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ ...one, ...other }).map(([name, value]) => [
      name,
      isObject(one[name]) && isObject(value) ? { ...one[name], ...value } : value,
    ]),
  )

const pair = [{ speaker_id: 'a' }, { speaker_id: 'b', voice: 'Puck' }]
const turns = [
  { speaker_id: 'a', text: 'one' },
  { speaker_id: 'b', words: { ssml: 'two' } },
]
const song = { customMode: false, instrumental: false }
const custom = { customMode: true, style: 'surf rock', title: 'Кот' }

/** What the bodies have beside the required fields, if rules between fields matter. */
const bases: Readonly<Record<string, readonly Fields[]>> = {
  'MODEL-3D-TEXT': [{}, { enable_rigging: true }],
  'MODEL-MUSIC': [
    { ...song, prompt: 'a cat' },
    { ...custom, instrumental: false, prompt: 'a\ncat' },
    { ...custom, instrumental: true, personaId: 'p1' },
  ],
  'MODEL-TTS-DIALOGUE': [{ text: 'Hello' }, { speakers: pair, turns }],
  'MODEL-VIDEO-WAN': [
    { positivePrompt: 'a cat' },
    { inputs: { frameImages: [link] } },
    { positivePrompt: 'a cat', inputs: { referenceImages: [link] } },
    { positivePrompt: 'a cat', inputs: { referenceVideos: [link] } },
  ],
}

/** Bodies that the app refuses although the document does not: they would mean nothing, or it never sends them. */
const narrower = [
  /"\w+":""/,
  /"(voice|voice_id|negativeTags|personaId)":"x{201}/,
  /"acme\/design.*"style":".{101}/,
  // More than 480 tokens, by the estimate of the app.
  /"prompt":"x{3999}/,
  // Without "frame" an object says no more than its picture.
  /"frameImages":\[{("frame":-\d+,)?"image":"[^"]*"(,"frame":-\d+)?}/,
  // The document limits them in custom mode only.
  /"customMode":false.*"(title|style)":".{101}/,
  // A prompt could not refer to one of two groups.
  /"tag":"(@\w+)".*"tag":"\1"/,
]
/** Bodies that the app accepts although the document does not: it checks addresses of its own before, and the operator names models. */
const wider = [/"(webhookURL|callback_url)":"/, /"pronunciation_dict":{}/, /"model":"v5_5[^"]+"/]

const soldAs = (label: string) =>
  mediaModels.find((one) => one.label === label) ?? expect.unreachable(`${label} is not sold here`)

describe.each(models)('$id', (model) => {
  const sold = soldAs(model.id)
  const schema: Schema = z.toJSONSchema(sold.fields, { io: 'input' })

  /** @returns whether the document and the app accept a body, on which they must agree */
  function isFine(body: Fields): boolean {
    const documented = sold.fields.safeParse(body).error?.issues
    const own = model.request.safeParse(body).error?.issues
    if (!documented && !own) return true
    const [wanted = [], refused = []] = [documented, own].map((all) => all?.map(({ path }) => path.join('.')))
    // A rule between fields may name any of them.
    const isRule = documented?.some(({ code }) => code === 'custom')
    const isSame = wanted.some((path) => refused.some((one) => one.startsWith(path) || path.startsWith(one)))
    const isKnown = () => (own ? narrower : wider).some((one) => one.test(JSON.stringify(body)))
    if (documented && own ? !isRule && !isSame : !isKnown())
      expect.fail(`${JSON.stringify(body).slice(0, 999)}: ${wanted} of the document, ${refused} of the app`)
    return false
  }

  it('accepts and refuses what the document does, in any field and in any two', () => {
    for (const [at, more] of (bases[model.id] ?? [{}]).entries()) {
      const base = { ...schemaOf(sample(schema)), ...more, model: sold.id }
      expect(isFine(base)).toBe(true)
      const absent = Object.keys(base).map((name) => ({ ...base, [name]: undefined }))
      for (const one of absent) isFine(JSON.parse(JSON.stringify(one)))
      const fine = changesOf(schema).filter((change) => isFine({ ...base, ...change }))
      // Words never matter to rules between fields, and rules of all fields are few: the first base is enough.
      const facts = fine.filter((change) => at === 0 && !isWords(change))
      for (const [index, one] of facts.entries())
        for (const other of facts.slice(index + 1)) isFine({ ...base, ...together(one, other) })
      expect(fine.length).toBeGreaterThan(10)
      // A character beyond the BMP counts as one.
      const long = fine
        .flatMap((change) => Object.entries(change))
        .filter(([, one]) => /^x{99,}$/.test(`${one}`))
      const cats = long.map(([name, text]) => ({ ...base, [name]: `${text}`.replaceAll('x', '🐈') }))
      expect(cats.filter((body) => !model.request.safeParse(body).success).length).toBe(0)
    }
  })

  it('makes a documented request of any combination of answers', () => {
    // The app adds the callback address at the submit.
    const called = sold.callback === 'callBackUrl' ? { callBackUrl: 'https://bot.example/callbacks/1' } : {}
    const problem = (body: object) => problemOf(sold.fields, { ...body, model: sold.id, ...called })
    expect(variety(model).flatMap((answers) => problem(bodyOf(model, answers)) ?? [])).toEqual([])
    fc.assert(
      fc.property(answersFor(model), (answers) => {
        const body = catalog.request(model, answers)
        expect(body && problem(body)).toBe(undefined)
      }),
      { numRuns: 30 },
    )
  })
})

it('the conformance gateway imports nothing from src', () => {
  const folder = join(import.meta.dirname, 'gateway')
  const files = globSync('**/*.ts', { cwd: folder })
  const imports = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/from '.*'/g) ?? [])
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter((from) => from.includes('/src/'))).toEqual([])
})
