// The operator's fixed values and defaults of request fields, for every model.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { type Answers, type Field, type Flat, isUserField } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'
import { cardOf } from '../../src/form/card.ts'
import { fitAnswers, isPossible } from '../../src/form/fit.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { withMissing } from '../support/gateway/samples.ts'

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

it('at least 150 answers of all models can be fixed by the operator', () => {
  expect(cases.length).toBeGreaterThan(150)
})

it.each(models.map((model) => [model.id, model] as const))(
  'a fixed value of %s is sent whatever the user answered, and its field is not on the card',
  (_, raw) => {
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

describe('values of the operator are refused at the start', () => {
  it.each([
    [
      'MODEL-VIDEO-REEL',
      { request: { 'safety.mode': 'hard' } },
      'MODEL-VIDEO-REEL: "safety.mode" cannot be "hard": write "none" or "fast" or "full"',
    ],
    [
      'MODEL-VIDEO-REEL',
      { request: { outputQuality: 100 } },
      'MODEL-VIDEO-REEL: "outputQuality" cannot be 100: write at most 99',
    ],
    [
      'MODEL-VIDEO-REEL',
      { request: { width: 848 } },
      'MODEL-VIDEO-REEL: resolution is incompatible with width',
    ],
    [
      'MODEL-SPEECH-TURBO',
      { request: { stream: true } },
      'MODEL-SPEECH-TURBO: "stream" cannot be true: results are read whole, so remove it',
    ],
    [
      'MODEL-SPEECH-TURBO',
      { defaults: { stream: true } },
      'MODEL-SPEECH-TURBO: "stream" cannot be true: results are read whole, so remove it',
    ],
    [
      'MODEL-SPEECH-TURBO',
      { defaults: { 'audio_setting.sample_rate': '44100' } },
      'MODEL-SPEECH-TURBO: "audio_setting.sample_rate" cannot be "44100": write 8000 or 16000 or 22050 or 24000 or 32000 or 44100',
    ],
    [
      'MODEL-SPEECH-TURBO',
      { defaults: { voice_modify: { pitch: 3 } } },
      'MODEL-SPEECH-TURBO: "voice_modify" cannot have a default: write it into "request"',
    ],
    [
      'MODEL-VIDEO-REEL',
      { defaults: { 'safety.mode': 'fast' } },
      'MODEL-VIDEO-REEL: "safety.mode" is not set by users: write it into "request"',
    ],
    [
      'MODEL-VIDEO-REEL',
      { request: { duration: 5 }, defaults: { duration: 5 } },
      'MODEL-VIDEO-REEL: "duration" is in "request" and in "defaults": remove one of them',
    ],
    [
      'MODEL-VIDEO-REEL',
      { request: { resolution: '480p' }, defaults: { width: 848, height: 480 } },
      'MODEL-VIDEO-REEL: "width" belongs to a field that "request" sets: write it there; MODEL-VIDEO-REEL: "height" belongs to a field that "request" sets: write it there',
    ],
    [
      'MODEL-3D-TEXT',
      { request: { target_polycount: 300_000 } },
      'MODEL-3D-TEXT: "request" excludes what users may choose, model_type "smart-topology" (target_polycount is at most 15000 with model_type = smart-topology): fix these fields too, or remove it',
    ],
    [
      'MODEL-MUSIC',
      { request: { prompt: 'a song' } },
      'MODEL-MUSIC: "prompt" is what users write: remove it',
    ],
  ])('for %s: %j', (id, values, message) => {
    expect(problem(id, values)).toBe(message)
  })
})

describe('values of the operator are accepted', () => {
  it.each([
    [
      'MODEL-3D-TEXT',
      'both fields of a rule are fixed',
      { geometry_resolution: '2k', model_type: 'standard' },
    ],
    ['MODEL-3D-TEXT', 'a card takes no number above their limit', { model_type: 'smart-topology' }],
    ['MODEL-VIDEO-REEL', 'users cannot contradict them', { resolution: '720p', 'safety.mode': 'fast' }],
  ])('for %s when %s', (id, _, request) => {
    expect(problem(id, { request })).toBe('')
  })
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
