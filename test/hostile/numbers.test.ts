// Hostile numbers in the settings of a card.

import { expect, it } from 'vitest'
import { number } from '../../src/catalog/fields.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { readAnswer } from '../../src/form/answer.ts'
import { numbers } from './tables/numbers.ts'

const common = { label: 'field-seed', audience: 'card' } as const
const whole = number('whole', { ...common, integer: true, min: 0, max: 1000 })
const fraction = number('fraction', { ...common, min: 0.5, max: 10 })

const read = (field: typeof whole | typeof fraction, input: string) => {
  const answer = readAnswer(videoReel, field, {}, input)
  return answer.ok ? answer.answer : answer.refusal.reason
}

it('readAnswer reads numbers for a field of whole numbers and for one of fractions, and nothing else', () => {
  expect(numbers.map(([text]) => [text, read(whole, text), read(fraction, text)])).toEqual(numbers)
})
