// The fixed values and defaults of request fields that operators write, for every model, and surcharges with a condition on a field that
// the request leaves out.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { type Answers, type Field, type Flat, isUserField } from '../../src/catalog/field.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { models } from '../../src/catalog/index.ts'
import { standIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { promptInRequest } from '../../src/catalog/request.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { spoken } from '../../src/form/answer.ts'
import { cardOf } from '../../src/form/card.ts'
import { fitAnswers, isPossible, possibleOptions } from '../../src/form/fit.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { sampleAnswers, withMissing } from '../support/gateway/samples.ts'

interface Values {
  readonly request?: object
  readonly defaults?: object
}

function configured(id: string, values: Values) {
  const settings = catalogSettings.parse({ [id]: values })
  const catalog = createCatalog(
    models.filter((model) => model.id === id),
    settings,
  )
  const model = catalog.find(id)
  if (!model) throw new Error(`no model ${id}`)
  const bodyOf = (answers: Answers) => catalog.request(model, withMissing(model, answers)) ?? {}
  return { model, bodyOf, sent: (answers: Answers) => model.values(bodyOf(answers)) }
}

/** The configured model, or the problem with the values. */
function tried(id: string, values: Values): ReturnType<typeof configured> | string {
  try {
    return configured(id, values)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const problem = (id: string, values: Values): string => {
  const own = tried(id, values)
  return typeof own === 'string' ? own : ''
}

/** The values that each answer to a field writes, if these do not depend on other answers. */
function writable(model: Model, field: Field): { answer: string | number | boolean; flat: Flat }[] {
  const answers =
    field.kind === 'choice'
      ? field.options.map(({ value }) => value)
      : field.kind === 'number'
        ? [field.min, ...field.suggestions]
        : field.kind === 'toggle'
          ? [true, false]
          : []
  return answers.map((answer) => ({ answer, flat: field.write(answer, model.complete({})) }))
}

const cases = models.flatMap((model) =>
  model.fields
    .filter((field) => isUserField(field) && model.applies(field, {}))
    .flatMap((field) => writable(model, field).map((one) => ({ model, field, ...one })))
    // Some options write no values, and some contradict the default values of other fields.
    .flatMap((one) => {
      const own = Object.keys(one.flat).length > 0 ? tried(one.model.id, { request: one.flat }) : ''
      return typeof own === 'string' ? [] : [{ ...one, own }]
    }),
)

const shown = (model: Model, answers: Answers) =>
  (['main', 'advanced'] as const).flatMap((at) =>
    cardOf(model, answers, { at }).buttons.flatMap((row) =>
      row.flatMap((button) => ('field' in button ? [button.field.name] : [])),
    ),
  )

it.each(models.map((model) => [model.id, model] as const))(
  'a fixed value of %s is sent whatever the user answered, and its field is not on the card',
  (_, raw) => {
    expect(cases.length).toBeGreaterThan(150)
    for (const { field, flat, own } of cases.filter(({ model }) => model === raw)) {
      const stored = Object.fromEntries(
        writable(raw, field)
          .slice(-1)
          .map(({ answer }) => [field.name, answer]),
      )
      expect(own.sent(stored), JSON.stringify(flat)).toMatchObject(flat)
      expect(shown(own.model, {})).not.toContain(field.name)
    }
  },
)

it.each(models.map((model) => [model.id, model] as const))(
  'a default of %s is sent until the user changes it',
  (id, raw) => {
    for (const { field, answer, flat } of cases.filter(({ model }) => model === raw)) {
      const own = configured(id, { defaults: flat })
      expect(own.sent({}), JSON.stringify(flat)).toMatchObject(flat)
      expect(own.model.complete({})).toMatchObject({ [field.name]: answer })
      for (const other of writable(raw, field).slice(0, 3)) {
        const answers = fitAnswers(own.model, { [field.name]: other.answer }, field.name)
        expect(own.model.complete(answers)).toMatchObject(answers)
      }
    }
  },
)

const [reel, turbo] = ['MODEL-VIDEO-REEL', 'MODEL-SPEECH-TURBO']
const sized = { request: { resolution: '480p' }, defaults: { width: 848, height: 480 } }

it.each([
  [reel, { request: { 'safety.mode': 'hard' } }, '"safety.mode" cannot be "hard": write "none" or "fast"'],
  [reel, { request: { outputQuality: 100 } }, '"outputQuality" cannot be 100: write at most 99'],
  [reel, { request: { width: 848 } }, 'resolution is incompatible with width'],
  [turbo, { request: { stream: true } }, '"stream" needs "async": false beside it'],
  [turbo, { defaults: { stream: true } }, '"stream" is not set by users: write it into "request"'],
  [turbo, { defaults: { 'audio_setting.bitrate': '32000' } }, 'cannot be "32000": write 32000 or 64000'],
  [turbo, { defaults: { voice_modify: { pitch: 3 } } }, 'cannot have a default: write it into "request"'],
  [reel, { defaults: { 'safety.mode': 'fast' } }, '"safety.mode" is not set by users'],
  [reel, { request: { duration: 5 }, defaults: { duration: 5 } }, 'in "request" and in "defaults"'],
  [reel, sized, '"height" belongs to a field that "request" sets'],
  ['MODEL-MUSIC', { request: { prompt: 'a song' } }, '"prompt" is what users write: remove it'],
])('a value of the operator is refused at the start, for %s: %j', (id, values, message) => {
  expect(problem(id, values)).toContain(`${id}: `)
  expect(problem(id, values)).toContain(message)
})

it('values of the operator are accepted when all fields of a rule are fixed, or users cannot contradict them', () => {
  const both = { geometry_resolution: '2k', model_type: 'standard' }
  expect(problem('MODEL-3D-TEXT', { request: both })).toBe('')
  expect(problem('MODEL-3D-TEXT', { request: { model_type: 'smart-topology' } })).toBe('')
  const fixed = { resolution: '720p', 'safety.mode': 'fast' }
  expect(problem('MODEL-VIDEO-REEL', { request: fixed })).toBe('')
})

describe("an operator's value together with answers", () => {
  it('is sent only where its field applies', () => {
    const { sent } = configured('MODEL-MUSIC', { request: { personaId: 'p1' } })
    expect(sent({})).not.toHaveProperty('personaId')
    expect(sent({ customMode: true, style: 'waltz', title: 'La' })).toHaveProperty('personaId', 'p1')
  })

  it('hides the options that contradict it', () => {
    const { model } = configured('MODEL-VIDEO-WAN', {
      request: { 'inputs.frameImages': ['https://a.example/1.png'] },
    })
    const references = model.fields.filter(({ shape }) => shape['inputs.referenceImages'])
    expect(references.map((field) => isPossible(model, field, {}))).toEqual([false])
    const own = configured('MODEL-3D-TEXT', { request: { target_polycount: 300_000 } }).model
    const types = own.fields.find(({ name }) => name === 'model_type')
    const offered = types?.kind === 'choice' ? possibleOptions(own, types, {}).map(({ value }) => value) : []
    expect(offered).toEqual(['standard', 'lowpoly'])
  })

  it('gives way to a stored answer when it is a default that contradicts the answer', () => {
    const { sent } = configured('MODEL-3D-TEXT', { defaults: { model_type: 'lowpoly' } })
    expect(sent({})).toMatchObject({ model_type: 'lowpoly' })
    expect(sent({ geometry_resolution: '4k' })).toMatchObject({
      model_type: 'standard',
      geometry_resolution: '4k',
    })
  })

  it('gives way to a chosen ratio when it is a default for the exact size', () => {
    const { sent } = configured('MODEL-IMAGE-DESIGN', { defaults: { size: '1024x768' } })
    expect(sent({})).toMatchObject({ size: '1024x768' })
    expect(sent({ size: '16:9' })).toMatchObject({ size: '16:9' })
  })
})

const catalogWith = (model: Model, settings: object) =>
  createCatalog(models, catalogSettings.parse({ [model.id]: settings }))

const surcharge = (when: object) => ({ surcharges: [{ when, add: '1' }] })

/** The labels of the surcharges in the price of these answers. */
function applied(model: Model, when: object, answers: Answers) {
  const catalog = catalogWith(model, surcharge(when))
  const body = catalog.request(model, { ...sampleAnswers(model), ...answers })
  return body && catalog.price(model, body)?.surcharges.map(({ label }) => label)
}

describe('a surcharge on a preset', () => {
  it.each([
    ['the preset alone', videoReel, '1080p', ['option-1080p-auto']],
    ['a pair of the preset', videoReel, '1088x1920', [{ '*': '1080p 9:16' }]],
    ['another preset', videoReel, '720p', undefined],
    ['a pair of another preset', videoReel, '1280x720', undefined],
    ['the pair of another model', videoWan, '1632x1248', [{ '*': '1080p 4:3' }]],
  ] as const)('applies by the size that is sent: %s', (_, model, size, label) => {
    expect(applied(model, { resolution: '1080p' }, { size })).toEqual(label ? [label] : [])
  })
})

it('a surcharge on a default applies although the default is not sent', () => {
  expect(applied(imagePhoto, { imageSize: '1K' }, {})).toEqual([[{ '*': '1K' }]])
  expect(applied(imagePhoto, { imageSize: '1K' }, { imageSize: '2K' })).toEqual([])
  expect(applied(videoReel, { 'safety.mode': 'none' }, {})).toEqual([[{ '*': 'none' }]])
})

const turns = [
  { speaker_id: 'Anna', text: 'hi' },
  { speaker_id: 'Boris', text: 'Is the ferry late?' },
]

const said = standIn(spoken('draft', 'Доброе утро & так далее'), 'speech')

it.each([
  ['a prompt', { prompt: 'a cat' }, 'a cat'],
  ['a text', { text: 'good morning' }, 'good morning'],
  ['a song with only a title', { title: 'Sea' }, 'Sea'],
  ['words that a picture says', { inputs: { audio: said } }, 'Доброе утро & так далее'],
  ['a prompt beside such words', { inputs: { audio: said }, positivePrompt: 'a cat' }, 'a cat'],
  ['nothing', {}, undefined],
  ['turns of another shape', { turns: [{ speaker_id: 'Anna' }], title: 'Talk' }, 'Talk'],
] as const)('the text of a request with %s is found', (_, request, wanted) => {
  expect(promptInRequest(request)).toBe(wanted)
})

it('the text of a dialogue contains all its lines, since many begin with the same greeting', () => {
  expect(promptInRequest({ turns })).toBe('Anna: hi\nBoris: Is the ferry late?')
  expect(promptInRequest({ turns }, 20)).toBe('Anna: hi\nBoris: Is t…')
})
