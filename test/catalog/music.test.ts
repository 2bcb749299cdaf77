// MODEL-MUSIC against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { music } from '../../src/catalog/music.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const callBackUrl = 'https://bot.example.com/callbacks/x'
const simple = { model: 'v5_5', customMode: false, instrumental: false, callBackUrl, prompt: 'a cat surfing' }
const custom = {
  ...simple,
  customMode: true,
  prompt: 'Кот плывёт\nпо волне',
  style: 'surf rock',
  title: 'Кот',
}

const ofSimple = {
  prompt: ['x'.repeat(500), '🐈'.repeat(500)],
  instrumental: [true],
  negativeTags: ['metal, rap'],
  vocalGender: ['m', 'f'],
  styleWeight: [0, 1, 0.65],
  weirdnessConstraint: [0, 1, 0.3],
  audioWeight: [0, 1, 0.1],
}
const ofCustom = {
  prompt: ['x'.repeat(5000)],
  style: ['x'.repeat(1000)],
  title: ['x'.repeat(100)],
  personaId: ['p1'],
}
const refusedOfSimple = {
  model: [undefined],
  customMode: [undefined, 'yes'],
  instrumental: [undefined, 'no'],
  callBackUrl: [undefined, 'bot.example.com'],
  prompt: [undefined, '', 'x'.repeat(501)],
  negativeTags: [['metal']],
  vocalGender: ['x'],
  styleWeight: [-0.1, 1.1],
  weirdnessConstraint: [1.1],
  audioWeight: [1.1],
  // Custom mode only.
  personaId: ['p1'],
}
const refusedOfCustom = {
  prompt: [undefined, 'x'.repeat(5001)],
  style: [undefined, 'x'.repeat(1001)],
  title: [undefined, 'x'.repeat(101)],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(music, simple, ofSimple)).toEqual([])
  const others = [
    { instrumental: true, prompt: undefined },
    { personaId: 'p1', personaModel: 'style_persona' },
    { personaId: 'p1', personaModel: 'voice_persona' },
  ]
  expect(wronglyRefused(music, custom, ofCustom, others)).toEqual([])
  const silent = [
    [{ instrumental: true, prompt: undefined }, 'prompt'],
    [{ webhookURL: callBackUrl }, ''],
  ] as const
  expect(wronglyAccepted(music, simple, refusedOfSimple, silent)).toEqual([])
  const unstyled = [
    [{ instrumental: true, style: undefined }, 'style'],
    [{ personaId: 'p1', personaModel: 'x' }, 'personaModel'],
  ] as const
  expect(wronglyAccepted(music, custom, refusedOfCustom, unstyled)).toEqual([])
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

  const lyrics = { customMode: true, prompt: 'ля', style: 'вальс', title: 'Ля' }

  it('has the lyrics in custom mode', () => {
    expect(request(lyrics)).toMatchObject(lyrics)
    expect(request({ ...lyrics, prompt: 'x'.repeat(5000) })).toBeDefined()
    expect(request({ prompt: 'x'.repeat(501) })).toBeUndefined()
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

  it('has a prompt within the limit of the mode', () => {
    const [prompt] = music.fields
    const limit = (answers: Answers) => prompt && music.limit(prompt, answers)
    expect(limit({})).toBe(500)
    expect(limit({ customMode: true })).toBeUndefined()
    expect(prompt).toMatchObject({ name: 'prompt', max: 5000 })
  })
})

it('billing: 6.6 per request, which delivers one charged result of up to two files', () => {
  const price = { amount: 660n, unit: 'request', quantity: 1, count: 1 }
  for (const body of [simple, custom]) expect(catalog.price(music, body)).toMatchObject(price)
  expect(music.delivers(simple)).toEqual({ kind: 'audio', count: 1, files: 2 })
})
