// Draft + event -> answer or refusal; draft -> card.

import { describe, expect, it } from 'vitest'
import type { Field } from '../../src/catalog/field.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { readAnswer } from '../../src/form/answer.ts'
import { cardOf } from '../../src/form/card.ts'
import { missingField } from '../../src/form/fit.ts'

const field = (name: string): Field => {
  const found = videoReel.fields.find((one) => one.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

describe('typed answers', () => {
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
  ])('%s takes %j', (name, input, answer) => {
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
    ['seed', '99999999999999999', 'not-a-number'],
    ['positivePrompt', '   ', 'empty'],
    ['positivePrompt', 'x'.repeat(5121), 'too-long'],
    ['size', '1x1', 'not-an-option'],
    ['size', '__proto__', 'not-an-option'],
    ['settings.audio', 'maybe', 'not-an-option'],
  ])('%s refuses %j as %s', (name, input, reason) => {
    expect(readAnswer(videoReel, field(name), {}, input)).toMatchObject({ ok: false, refusal: { reason } })
  })

  it('counts code points, not UTF-16 units', () => {
    expect(readAnswer(videoReel, field('positivePrompt'), {}, '🐈'.repeat(5120)).ok).toBe(true)
  })
})

describe('the card', () => {
  it('asks for the prompt only', () => {
    expect(missingField(videoReel, {})?.name).toBe('positivePrompt')
    expect(missingField(videoReel, { positivePrompt: 'a cat' })).toBeUndefined()
  })

  it('shows the defaults, and advanced answers only once they differ', () => {
    const shown = (answers: Record<string, string | number | boolean>) =>
      cardOf(videoReel, answers, { at: 'main' }).lines.map(({ field: { name }, answer }) => [name, answer])
    expect(shown({ positivePrompt: 'a cat' })).toEqual([
      ['positivePrompt', 'a cat'],
      ['size', '1080p'],
      ['duration', 5],
      ['settings.audio', false],
      ['numberResults', 1],
    ])
    expect(shown({ outputFormat: 'MOV' })).toContainEqual(['outputFormat', 'MOV'])
    expect(shown({ outputFormat: 'MP4' })).not.toContainEqual(['outputFormat', 'MP4'])
  })

  it('never shows fields of the operator or of the app', () => {
    for (const page of [{ at: 'main' }, { at: 'advanced' }, { at: 'field', name: 'webhookURL' }] as const) {
      const buttons = cardOf(videoReel, {}, page).buttons.flat()
      const names = buttons.flatMap((button) => ('field' in button ? [button.field.name] : []))
      expect(names).not.toContain('webhookURL')
      expect(names).not.toContain('safety.mode')
    }
  })

  it('marks the chosen option', () => {
    const page = cardOf(videoReel, { size: '640x640' }, { at: 'field', name: 'size' })
    const chosen = page.buttons.flat().filter((button) => button.to === 'set' && button.chosen)
    expect(chosen).toMatchObject([{ value: '640x640' }])
  })
})
