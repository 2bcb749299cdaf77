// Taps on the options of a text field, one or several, by a key that fits into callback data; typed answers, and the card of a draft.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answers, Field, Option } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { standIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { music } from '../../src/catalog/music.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { keyOf, readAnswer, readOption, readWithRoom } from '../../src/form/answer.ts'
import { cardOf, pickKey } from '../../src/form/card.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'

function textOf(model: Model, name: string): Extract<Field, { kind: 'text' }> {
  const field = model.fields.find((one) => one.name === name)
  if (field?.kind !== 'text') throw new Error(`${name} is no text`)
  return field
}

const option = (value: string): Option => ({ value, label: { ru: value, en: value }, set: {} })
const offers = ['Kore', 'Puck', 'голос-'.repeat(10), 'голос-'.repeat(11)].map(option)
const voice = textOf(speechTurbo, 'voice_setting.voice_id')
const effects = textOf(videoDream, 'concepts')
const refused = { ok: false, refusal: { reason: 'not-an-option' } }

describe('a tap on an option of a field for one value', () => {
  it('chooses the value by itself, or by the digest of a long one', () => {
    for (const one of offers) {
      expect(readOption(voice, offers, undefined, pickKey(one))).toEqual({ ok: true, answer: one.value })
    }
  })

  it('replaces another value, and keeps the value when it is tapped again', () => {
    expect(readOption(voice, offers, 'Kore', 'Puck')).toEqual({ ok: true, answer: 'Puck' })
    expect(readOption(voice, offers, 'Kore', 'Kore')).toEqual({ ok: true, answer: 'Kore' })
  })

  it.each([
    ['of a list that has changed', 'Charon'],
    ['with the digest of no option', '~abc'],
    ['with the beginning of a value', 'Kor'],
    ['with an empty key', ''],
    ['with a long value in place of its digest', 'голос-'.repeat(10)],
  ])('is refused %s', (_, key) => {
    expect(readOption(voice, offers, 'Kore', key)).toEqual(refused)
  })
})

describe('taps on options of a field for several values', () => {
  const named = ['zoom_in', 'handheld', 'a very long name of an effect'].map(option)
  const tap = (current: string | undefined, value: string) =>
    readOption(effects, named, current, keyOf(value))

  it('add and remove the values one by one', () => {
    expect(tap(undefined, 'zoom_in')).toEqual({ ok: true, answer: 'zoom_in' })
    expect(tap('zoom_in', 'handheld')).toEqual({ ok: true, answer: 'zoom_in, handheld' })
    expect(tap('zoom_in, handheld', 'zoom_in')).toEqual({ ok: true, answer: 'handheld' })
    expect(tap('handheld', 'a very long name of an effect')).toMatchObject({ ok: true })
  })

  it('leave no answer when the last value is removed', () => {
    expect(tap('zoom_in', 'zoom_in')).toBeUndefined()
    expect(tap(' zoom_in ,', 'zoom_in')).toBeUndefined()
  })

  it('are refused when the answer would exceed the length of the field', () => {
    const many = Array.from({ length: 60 }, (_, i) => option(`effect number ${i} of the list`))
    let answer: string | undefined
    for (const one of many) {
      const read = readOption(effects, many, answer, keyOf(one.value))
      if (read?.ok) answer = String(read.answer)
    }
    expect(answer?.length).toBeGreaterThan(900)
    expect(answer?.length).toBeLessThanOrEqual(effects.max)
  })
})

describe('the key of an option in callback data', () => {
  it('is short, stable, and unique among a thousand', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(value, (one) => {
        expect(Buffer.byteLength(keyOf(one))).toBeLessThanOrEqual(24)
        expect(keyOf(one)).toBe(keyOf(one))
      }),
    )
    const alike = Array.from({ length: 1000 }, (_, i) => keyOf(`a voice of the operator, number ${i}`))
    expect(new Set(alike).size).toBe(1000)
  })
})

describe('a typed text', () => {
  const fileOfOurs = standIn({ file: 'AgACAg', medium: 'image', mime: 'image/png' }, 'data')
  const texts = models.flatMap((model) =>
    model.fields.flatMap((field) =>
      field.kind === 'text' ? [[model.id, field.name, model, field] as const] : [],
    ),
  )

  it.each(texts)('a typed stand-in for a file is refused by %s %s', (_, __, model, field) => {
    for (const typed of [
      fileOfOurs,
      'https://media.invalid/x',
      `Anna: ${fileOfOurs}\nBob: bye`,
      `a = ${fileOfOurs}`,
    ])
      expect(readAnswer(model, field, {}, typed), typed).toMatchObject({ ok: false })
  })

  it('loses the NUL characters that the database cannot store', () => {
    const script = textOf(ttsDialogue, 'script')
    expect(readAnswer(ttsDialogue, script, {}, 'a\u0000b\n\tc')).toEqual({ ok: true, answer: 'ab\n\tc' })
    expect(readAnswer(ttsDialogue, script, {}, '\u0000')).toMatchObject({ refusal: { reason: 'empty' } })
  })
})

describe('a typed text that is too long beside a toggle', () => {
  const song = textOf(music, 'prompt')

  it('changes the toggle if it then fits', () => {
    const text = 'la'.repeat(300)
    const read = readWithRoom(music, song, {}, text)
    expect(read).toMatchObject({
      ok: true,
      answer: text,
      room: { field: { name: 'customMode' }, answer: true },
    })
  })

  it('is refused with the highest limit if it never fits', () => {
    const refusal = { reason: 'too-long', max: 5000, length: 6000 }
    expect(readWithRoom(music, song, {}, 'la'.repeat(3000))).toEqual({ ok: false, refusal })
  })
})

const field = (name: string): Field => {
  const found = videoReel.fields.find((one) => one.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

describe('a typed answer', () => {
  it.each([
    ['duration', '5', 5],
    ['numberResults', '4', 4],
    ['seed', '0', 0],
    ['positivePrompt', '  a cat  ', 'a cat'],
    ['size', '848x480', '848x480'],
    ['settings.audio', 'on', true],
  ])('for %s can be %j', (name, input, answer) => {
    expect(readAnswer(videoReel, field(name), {}, input)).toEqual({ ok: true, answer })
  })

  it.each([
    ['duration', '2', 'out-of-range'],
    ['duration', '16', 'out-of-range'],
    ['duration', 'много', 'not-a-number'],
    ['numberResults', '1.5', 'not-whole'],
    ['numberResults', '5', 'out-of-range'],
    ['seed', '99999999999999999', 'unclear-number'],
    ['positivePrompt', '   ', 'empty'],
    ['positivePrompt', 'x'.repeat(5121), 'too-long'],
    ['size', '1x1', 'not-an-option'],
    ['size', '__proto__', 'not-an-option'],
    ['settings.audio', 'maybe', 'not-an-option'],
  ])('for %s cannot be %j: %s', (name, input, reason) => {
    expect(readAnswer(videoReel, field(name), {}, input)).toMatchObject({ ok: false, refusal: { reason } })
  })
})

describe('the card', () => {
  const main = (model: Model, answers: Answers) => cardOf(model, answers, { at: 'main' })
  const inLines = (model: Model, answers: Answers) =>
    main(model, answers).lines.map(({ field: { label }, answer }) => [label, answer])
  const inButtons = (model: Model, answers: Answers) =>
    main(model, answers)
      .buttons.flat()
      .flatMap((button): unknown[][] => {
        if (button.to === 'open' && !button.inLine) return [[button.page, button.answer]]
        return button.to === 'set' ? [[button.page, button.chosen]] : []
      })

  it('shows a value once: in its button, or in a line when the button is on another page', () => {
    const answers = { positivePrompt: 'a cat', size: '720x1280', outputFormat: 'MOV', numberResults: 1 }
    expect(inButtons(videoReel, answers)).toEqual([
      ['size.shape', '720x1280'],
      ['duration', 5],
      ['settings.audio', false],
    ])
    expect(inLines(videoReel, answers)).toEqual([
      ['field-prompt', 'a cat'],
      ['field-resolution', '720x1280'],
      ['field-file-format', 'MOV'],
    ])
    expect(inLines(videoReel, { positivePrompt: 'a cat', outputFormat: 'MP4' })).toEqual([
      ['field-prompt', 'a cat'],
    ])
  })

  it.each(models.map((model) => [model.id, model] as const))('of %s fits on a phone', (_, model) => {
    const card = cardOf(model, sampleAnswers(model), { at: 'main' }, { siblings: [] })
    const fields = card.buttons.flat().flatMap((button) => ('field' in button ? [button.field] : []))
    const settings = fields.filter(({ kind, audience }) => kind !== 'media' && audience === 'card')
    expect(settings.length).toBeLessThanOrEqual(3)
    // The order, the settings, the inputs, and the rest. A row with long labels is divided when it is drawn.
    expect(card.buttons.length).toBeLessThanOrEqual(4)
    expect(card.buttons.every((row) => row.length <= 3)).toBe(true)
  })

  it('offers the sizes of a frame as a quality and a shape', () => {
    const options = (name: string) =>
      cardOf(videoReel, { size: '720x1280' }, { at: 'field', name })
        .buttons.flat()
        .flatMap((button) => (button.to === 'set' ? [`${button.value}${button.chosen ? ' ✓' : ''}`] : []))
    expect(options('size.quality')).toEqual(['480x848', '720x1280 ✓', '1088x1920'])
    const shapes = ['720p', '1280x720', '720x1280 ✓', '1088x832', '832x1088', '960x960']
    expect(options('size.shape')).toEqual(shapes)
    expect(options('size')).toHaveLength(18)
  })
})
