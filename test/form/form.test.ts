// From a draft and a tap or a text to an answer or a refusal, and from a draft to its card.

import { describe, expect, it } from 'vitest'
import type { Answers, Field } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { readAnswer } from '../../src/form/answer.ts'
import { cardOf } from '../../src/form/card.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'

const field = (name: string): Field => {
  const found = videoReel.fields.find((one) => one.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

describe('a typed answer', () => {
  it.each([
    ['duration', '5', 5],
    ['duration', ' 7,5 ', 7.5],
    ['duration', '10 секунд', 10],
    ['duration', '5s', 5],
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
    ['duration', '', 'not-a-number'],
    ['duration', '5 or 6', 'not-a-number'],
    ['duration', '1e1', 'not-a-number'],
    ['duration', 'Infinity', 'not-a-number'],
    ['numberResults', '1.5', 'not-whole'],
    ['numberResults', '5', 'out-of-range'],
    ['seed', '99999999999999999', 'unclear-number'],
    ['seed', '1,00,0', 'unclear-number'],
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
