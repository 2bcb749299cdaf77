// MODEL-MUSIC against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { music } from '../../src/catalog/music.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const callBackUrl = 'https://bot.example.com/callbacks/x'
const simple = { model: 'v5_5', customMode: false, instrumental: false, callBackUrl, prompt: 'a cat surfing' }
const custom = {
  ...simple,
  customMode: true,
  prompt: 'Кот плывёт\nпо волне',
  style: 'surf rock',
  title: 'Кот',
}

const pathsOf = (body: unknown) =>
  music.request.safeParse(body).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('accepted bodies', () => {
  it.each([
    ['a description', simple],
    ['a description of 500 characters', { ...simple, prompt: 'x'.repeat(500) }],
    ['a description of 500 code points beyond the BMP', { ...simple, prompt: '🐈'.repeat(500) }],
    ['a description without vocals', { ...simple, instrumental: true }],
    ['lyrics', custom],
    ['lyrics of 5000 characters', { ...custom, prompt: 'x'.repeat(5000) }],
    ['a style of 1000 characters', { ...custom, style: 'x'.repeat(1000) }],
    ['a title of 100 characters', { ...custom, title: 'x'.repeat(100) }],
    ['no lyrics for instrumental music', { ...custom, instrumental: true, prompt: undefined }],
    ['styles to exclude', { ...simple, negativeTags: 'metal, rap' }],
    ['a male voice', { ...simple, vocalGender: 'm' }],
    ['a female voice', { ...simple, vocalGender: 'f' }],
    ['the lowest weights', { ...simple, styleWeight: 0, weirdnessConstraint: 0, audioWeight: 0 }],
    ['the highest weights', { ...simple, styleWeight: 1, weirdnessConstraint: 1, audioWeight: 1 }],
    ['weights in between', { ...simple, styleWeight: 0.65, weirdnessConstraint: 0.3, audioWeight: 0.1 }],
    ['a persona in custom mode', { ...custom, personaId: 'p1' }],
    ['the style of a persona', { ...custom, personaId: 'p1', personaModel: 'style_persona' }],
    ['the voice of a persona', { ...custom, personaId: 'p1', personaModel: 'voice_persona' }],
  ])('accepts a body with %s', (_, body) => {
    expect(pathsOf(body)).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no model', { ...simple, model: undefined }, 'model'],
    ['no customMode', { ...simple, customMode: undefined }, 'customMode'],
    ['customMode as a word', { ...simple, customMode: 'yes' }, 'customMode'],
    ['no instrumental', { ...simple, instrumental: undefined }, 'instrumental'],
    ['instrumental as a word', { ...simple, instrumental: 'no' }, 'instrumental'],
    ['no callback address', { ...simple, callBackUrl: undefined }, 'callBackUrl'],
    ['a callback address that is none', { ...simple, callBackUrl: 'bot.example.com' }, 'callBackUrl'],
    ['no description', { ...simple, prompt: undefined }, 'prompt'],
    ['no description, without vocals', { ...simple, instrumental: true, prompt: undefined }, 'prompt'],
    ['no lyrics', { ...custom, prompt: undefined }, 'prompt'],
    ['an empty description', { ...simple, prompt: '' }, 'prompt'],
    ['a description of 501 characters', { ...simple, prompt: 'x'.repeat(501) }, 'prompt'],
    ['lyrics of 5001 characters', { ...custom, prompt: 'x'.repeat(5001) }, 'prompt'],
    ['no style', { ...custom, style: undefined }, 'style'],
    ['no style, without vocals', { ...custom, instrumental: true, style: undefined }, 'style'],
    ['a style of 1001 characters', { ...custom, style: 'x'.repeat(1001) }, 'style'],
    ['no title', { ...custom, title: undefined }, 'title'],
    ['a title of 101 characters', { ...custom, title: 'x'.repeat(101) }, 'title'],
    ['styles to exclude as a list', { ...simple, negativeTags: ['metal'] }, 'negativeTags'],
    ['an unknown voice', { ...simple, vocalGender: 'x' }, 'vocalGender'],
    ['style weight -0.1', { ...simple, styleWeight: -0.1 }, 'styleWeight'],
    ['style weight 1.1', { ...simple, styleWeight: 1.1 }, 'styleWeight'],
    ['weirdness 1.1', { ...simple, weirdnessConstraint: 1.1 }, 'weirdnessConstraint'],
    ['audio weight 1.1', { ...simple, audioWeight: 1.1 }, 'audioWeight'],
    ['a persona outside of custom mode', { ...simple, personaId: 'p1' }, 'personaId'],
    ['an unknown persona model', { ...custom, personaId: 'p1', personaModel: 'x' }, 'personaModel'],
    ['a field of another model', { ...simple, webhookURL: callBackUrl }, ''],
  ])('refuses a body with %s', (_, body, path) => {
    expect(pathsOf(body)).toContain(path)
  })
})

const catalog = createCatalog([music], {})
const request = (answers: Answers) => catalog.request(music, answers)

describe('the request made from answers', () => {
  it('has the documented id, with minimal answers', () => {
    expect(request({ prompt: 'кот на волне' })).toEqual({
      model: 'v5_5',
      customMode: false,
      instrumental: false,
      callBackUrl: 'https://callback.invalid/',
      prompt: 'кот на волне',
    })
  })

  it("has the operator's id, if one is set", () => {
    const settings = catalogSettings.parse({ 'MODEL-MUSIC': { gatewayId: 'v6' } })
    const own = createCatalog([music], settings)
    expect(own.request(music, { prompt: 'x' })).toMatchObject({ model: 'v6' })
  })

  const lyrics = { customMode: true, prompt: 'ля', style: 'вальс', title: 'Ля' }

  it('has the lyrics in custom mode', () => {
    expect(request(lyrics)).toMatchObject(lyrics)
    expect(request({ ...lyrics, prompt: 'x'.repeat(5000) })).toBeDefined()
    expect(request({ prompt: 'x'.repeat(501) })).toBeUndefined()
  })

  it.each([
    ['a title', { customMode: true, prompt: 'ля', style: 'вальс' }],
    ['a style', { customMode: true, prompt: 'ля', title: 'Ля' }],
    ['lyrics', { customMode: true, style: 'вальс', title: 'Ля' }],
  ])('is not made in custom mode without %s', (_, answers) => {
    expect(request(answers)).toBeUndefined()
  })

  it('omits the fields of custom mode when the mode is off', () => {
    const flat = music.write({ ...lyrics, customMode: false, personaId: 'p1', personaModel: 'voice_persona' })
    expect(flat).toEqual({ customMode: false, instrumental: false, prompt: 'ля' })
  })

  it('has a persona model only with a persona', () => {
    expect(music.write({ ...lyrics, personaId: 'p1' })).toMatchObject({ personaModel: 'style_persona' })
    expect(music.write(lyrics)).not.toHaveProperty('personaModel')
  })

  it('has no vocal gender for instrumental music', () => {
    const answers = { prompt: 'ля', vocalGender: 'f' }
    expect(music.write(answers)).toHaveProperty('vocalGender', 'f')
    expect(music.write({ ...answers, instrumental: true })).not.toHaveProperty('vocalGender')
  })

  it('has no weight of a sound from users, since no request has a sound', () => {
    expect(music.write({ prompt: 'ля', audioWeight: 0.5 })).not.toHaveProperty('audioWeight')
  })

  it('has a prompt within the limit of the mode', () => {
    const [prompt] = music.fields
    const limit = (answers: Answers) => prompt && music.limit(prompt, answers)
    expect(limit({})).toBe(500)
    expect(limit({ customMode: true })).toBeUndefined()
    expect(prompt).toMatchObject({ name: 'prompt', max: 5000 })
  })
})

describe('billing: 6.6 per request', () => {
  it.each([
    ['the default request', simple],
    ['lyrics', custom],
  ])('has the documented price for %s', (_, body) => {
    expect(catalog.price(music, body)).toMatchObject({ amount: 660n, unit: 'request', quantity: 1, count: 1 })
  })

  it('delivers one charged result of up to two files', () => {
    expect(music.delivers(simple)).toEqual({ kind: 'audio', count: 1, files: 2 })
  })
})
